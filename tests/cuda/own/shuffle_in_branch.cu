// A full mask in a branch that the last lanes of the last warp do not take.
#include <cstdio>

__global__ void sum(const int* in, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int v = in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(total, v);
  }
}

int main() {
  const int n = 72;
  int host[n], *in, *total;
  for (int i = 0; i < n; ++i) host[i] = 1;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));
  sum<<<2, 64>>>(in, total, n);
  cudaDeviceSynchronize();
}
