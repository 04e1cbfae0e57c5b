// Adds up all numbers in one launch: the block that ends last adds up what the blocks have found.
#include <cstdio>

const int N = 256, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__device__ int parts[BLOCKS], blocks_done;

__global__ void grand_total(const int* numbers, int* total, int n) {
  __shared__ int part;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == 0) part = 0;
  __syncthreads();
  if (i < n) atomicAdd(&part, numbers[i]);
  __syncthreads();
  if (t > 0) return;
  parts[blockIdx.x] = part;
  bool last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  if (!last) return;
  int sum = 0;
  for (int b = 0; b < gridDim.x; b++) sum += parts[b];
  *total = sum;
}

int main() {
  int list[N], expected = 0, result = 0, *numbers, *total;
  for (int i = 0; i < N; i++) {
    list[i] = 3 * i % 17;
    expected += list[i];
  }

  cudaMalloc(&numbers, N * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(numbers, list, N * sizeof(int), cudaMemcpyHostToDevice);
  grand_total<<<BLOCKS, BLOCK>>>(numbers, total, N);
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(numbers);
  cudaFree(total);

  printf("the total is %d, expected %d\n", result, expected);
  return result == expected ? 0 : 1;
}
