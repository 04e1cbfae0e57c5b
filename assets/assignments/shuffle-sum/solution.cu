// The sum of N numbers: each warp adds up its own, and adds the result to the total.
#include <cstdio>
#include <vector>

const int N = 100, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK, WARP = 32;

__global__ void reduce(const int* data, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? data[i] : 0;
  for (int distance = WARP / 2; distance > 0; distance /= 2) x += __shfl_down_sync(0xffffffff, x, distance);
  if (threadIdx.x % WARP == 0) atomicAdd(total, x);
}

int main() {
  std::vector<int> numbers(N);
  int expected = 0;
  for (int i = 0; i < N; i++) expected += numbers[i] = 7 * i % 10 + 1;

  int *data, *total, result = 0;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(data, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));

  reduce<<<BLOCKS, BLOCK>>>(data, total, N);

  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(data);
  cudaFree(total);
  return result == expected ? 0 : 1;
}
