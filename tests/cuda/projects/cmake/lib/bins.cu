#include "bins.hpp"

__global__ void histogram(const int* keys, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[keys[i] % BINS], 1);
}

void count(const int* keys, int* bins, int n) {
  int *d_keys, *d_bins;
  cudaMalloc(&d_keys, n * sizeof(int));
  cudaMalloc(&d_bins, BINS * sizeof(int));
  cudaMemset(d_bins, 0, BINS * sizeof(int));
  cudaMemcpy(d_keys, keys, n * sizeof(int), cudaMemcpyHostToDevice);
  histogram<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_keys, d_bins, n);
  cudaMemcpy(bins, d_bins, BINS * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_keys);
  cudaFree(d_bins);
}
