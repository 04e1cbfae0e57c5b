// Adds up the rain of all days, in millimetres.
#include <cstdio>

const int N = 300, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__device__ void add(int sum, int more) { atomicAdd(&sum, more); }

__global__ void rainfall(const int* days, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) add(*total, days[i]);
}

int main() {
  int year[N], expected = 0, result = 0, *days, *total;
  for (int i = 0; i < N; i++) {
    year[i] = i % 3 == 0 ? i % 25 : 0;
    expected += year[i];
  }

  cudaMalloc(&days, N * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(days, year, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));
  rainfall<<<BLOCKS, BLOCK>>>(days, total, N);
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(days);
  cudaFree(total);

  printf("%d mm, expected %d mm\n", result, expected);
  return result == expected ? 0 : 1;
}
