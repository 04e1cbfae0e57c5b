// The sum of N numbers by a tree in shared memory: neighbours meet neighbours, and a thread stays active
// while its low bits are zero. Each block leaves one sum; a second launch adds those.
#include <cstdio>

const int N = 150, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

// barrierscope: expect sums_2 = sum(data)
__global__ void reduce(const int* data, int* sums, int n) {
  __shared__ int s[BLOCK];
  int i = threadIdx.x;
  int k = blockIdx.x * blockDim.x + i;
  s[i] = k < n ? data[k] : 0;

  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    __syncthreads();
    if (i % (2 * offset) == 0) s[i] += s[i + offset];
  }

  if (i == 0) sums[blockIdx.x] = s[0];
}

int main() {
  int numbers[N], expected = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    expected += numbers[i];
  }

  int *data, *sums, *total;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&sums, BLOCKS * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);

  reduce<<<BLOCKS, BLOCK>>>(data, sums, N);
  reduce<<<1, BLOCK>>>(sums, total, BLOCKS);

  int result = 0;
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(data);
  cudaFree(sums);
  cudaFree(total);
  return result == expected ? 0 : 1;
}
