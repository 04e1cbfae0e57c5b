// Adds up the calories of all meals, a warp at a time.
// All lanes shuffle: those without a meal give 0.
#include <cstdio>

const int N = 100, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void calories(const int* meals, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? meals[i] : 0;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

int main() {
  int month[N], expected = 0, result = 0, *meals, *total;
  for (int i = 0; i < N; i++) {
    month[i] = 300 + 7 * i % 450;
    expected += month[i];
  }

  cudaMalloc(&meals, N * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(meals, month, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));
  calories<<<BLOCKS, BLOCK>>>(meals, total, N);
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(meals);
  cudaFree(total);

  printf("%d calories, expected %d\n", result, expected);
  return result == expected ? 0 : 1;
}
