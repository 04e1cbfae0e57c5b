// A sum by a tree in shared memory. In each step every second sum of the step before takes in its neighbour.
#include <cstdio>

const int N = 250, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void reduce(const int* data, int* total, int n) {
  __shared__ int s[BLOCK];
  int i = threadIdx.x;
  int k = blockIdx.x * blockDim.x + i;
  s[i] = k < n ? data[k] : 0;

  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (i % (2 * stride) == 0) s[i] += s[i + stride];
  }

  if (i == 0) atomicAdd(total, s[0]);
}

int main() {
  int numbers[N], expected = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    expected += numbers[i];
  }

  int *data, *total;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));

  reduce<<<BLOCKS, BLOCK>>>(data, total, N);

  int result = 0;
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(data);
  cudaFree(total);
  return result == expected ? 0 : 1;
}
