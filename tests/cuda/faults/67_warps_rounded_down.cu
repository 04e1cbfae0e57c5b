// flashinfer-ai/flashinfer#3879
#include <cstdio>

__global__ void sum(const int* in, int* out, int n) {
  __shared__ int part[32];
  int t = threadIdx.x, warps = n / 32;
  int x = t < n ? in[t] : 0;
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
  if (t % 32 == 0) part[t / 32] = x;
  __syncthreads();
  if (t == 0) {
    int all = 0;
    for (int w = 0; w < warps; ++w) all += part[w];
    *out = all;
  }
}

int main() {
  const int n = 80;
  int in[n], *d_in, *d_out, got = 0, want = 0;
  for (int i = 0; i < n; ++i) want += in[i] = i + 1;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof(int));
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  sum<<<1, 96>>>(d_in, d_out, n);
  cudaMemcpy(&got, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d, expected %d\n", got, want);
  return got != want;
}
