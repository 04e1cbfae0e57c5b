// flashinfer-ai/flashinfer#3880, NVlabs/cuda-oxide#672
#include <cstdio>

__device__ int add_lanes(int x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(0xffffffff, x, d);
  return x;
}

__global__ void sum(const int* in, int* out, int n) {
  int x = add_lanes(threadIdx.x < n ? in[threadIdx.x] : 0);
  if (threadIdx.x % 32 == 0) atomicAdd(out, x);
}

int main() {
  const int n = 48;
  int in[n], *d_in, *d_out, got = 0, want = 0;
  for (int i = 0; i < n; ++i) want += in[i] = i + 1;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof(int));
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, sizeof(int));
  sum<<<1, 64>>>(d_in, d_out, n);
  cudaMemcpy(&got, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d, expected %d\n", got, want);
  return got != want;
}
