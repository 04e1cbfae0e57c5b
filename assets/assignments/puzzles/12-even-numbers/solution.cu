// Counts the even numbers of a list.
// Reading, adding and writing are one atomic.
#include <cstdio>

const int N = 300, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void count_even(const int* numbers, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && numbers[i] % 2 == 0) atomicAdd(count, 1);
}

int main() {
  int list[N], expected = 0, result = 0, *numbers, *count;
  for (int i = 0; i < N; i++) {
    list[i] = i * i / 3;
    expected += list[i] % 2 == 0;
  }

  cudaMalloc(&numbers, N * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(numbers, list, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  count_even<<<BLOCKS, BLOCK>>>(numbers, count, N);
  cudaMemcpy(&result, count, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(numbers);
  cudaFree(count);

  printf("%d even numbers, expected %d\n", result, expected);
  return result == expected ? 0 : 1;
}
