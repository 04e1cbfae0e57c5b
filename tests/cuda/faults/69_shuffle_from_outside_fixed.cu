// NVIDIA/cuda-samples#398
#include <cstdio>

__global__ void sum(const int* in, int* out) {
  __shared__ int part[32];
  int t = threadIdx.x, warps = blockDim.x / 32;
  int x = in[t];
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
  if (t % 32 == 0) part[t / 32] = x;
  __syncthreads();
  unsigned mask = __ballot_sync(0xffffffff, t < warps);
  if (t < warps) {
    x = part[t];
    for (int d = warps / 2; d > 0; d /= 2) x += __shfl_down_sync(mask, x, d, warps);
    if (t == 0) *out = x;
  }
}

int main() {
  const int n = 128;
  int in[n], *d_in, *d_out, got = 0, want = 0;
  for (int i = 0; i < n; ++i) want += in[i] = i + 1;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof(int));
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  sum<<<1, n>>>(d_in, d_out);
  cudaMemcpy(&got, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d, expected %d\n", got, want);
  return got != want;
}
