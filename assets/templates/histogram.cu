// A histogram: how often each key occurs.
// barrierscope: expect bins = histogram(keys)
#include <cstdio>

const int n = 64, block = 32, bin_count = 8;

__global__ void histogram(const int* keys, int* bins) {
  __shared__ int mine[bin_count];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < bin_count) mine[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&mine[keys[i]], 1);
  __syncthreads();
  if (threadIdx.x < bin_count) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main() {
  int host[n], counts[bin_count], *keys, *bins;
  for (int i = 0; i < n; ++i) host[i] = i * i * 7 % 11 % bin_count;
  cudaMalloc(&keys, sizeof host);
  cudaMalloc(&bins, sizeof counts);
  cudaMemcpy(keys, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, sizeof counts);
  histogram<<<(n + block - 1) / block, block>>>(keys, bins);
  cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost);
  for (int x : counts) printf("%d ", x);
  printf("\n");
  cudaFree(keys);
  cudaFree(bins);
}
