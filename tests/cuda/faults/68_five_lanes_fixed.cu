// NVIDIA/cutlass#1094
#include <cstdio>

__global__ void first_of_warp(const int* in, int* out) {
  int t = threadIdx.x;
  out[t] = __shfl_sync(0xffffffff, in[t], 0);
}

int main() {
  const int n = 64;
  int in[n], out[n], *d_in, *d_out, wrong = 0;
  for (int i = 0; i < n; ++i) in[i] = i + 100;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  first_of_warp<<<1, n>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != in[i / 32 * 32];
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
