// kokkos/kokkos#9307, StanfordLegion/realm#448
#include <cstdio>

__global__ void fill(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + 1;
}

__global__ void sum(const int* in, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, in[i]);
}

int main() {
  const int n = 256;
  int *values, *d_total, got = 0;
  cudaStream_t work, other;
  cudaStreamCreate(&work);
  cudaStreamCreate(&other);
  cudaMalloc(&d_total, sizeof(int));
  cudaMemset(d_total, 0, sizeof(int));
  cudaMallocAsync(&values, n * sizeof(int), work);
  fill<<<2, 128, 0, work>>>(values, n);
  sum<<<2, 128, 0, work>>>(values, d_total, n);
  cudaFreeAsync(values, work);
  cudaDeviceSynchronize();
  cudaMemcpy(&got, d_total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d, expected %d\n", got, n * (n + 1) / 2);
  return got != n * (n + 1) / 2;
}
