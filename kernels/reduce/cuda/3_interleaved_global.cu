// The sum of N numbers in place, in global memory: the lower half of the threads adds what lies half a
// tile away, and half of it again. The input is destroyed. A second launch adds the blocks' sums.
#include <cstdio>

const int N = 150, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

// barrierscope: expect sums_2 = sum(data)
__global__ void reduce(int* data, int* sums, int n) {
  int i = threadIdx.x;
  int first = blockIdx.x * blockDim.x;  // of this block's tile
  int left = n - first;                 // numbers from here on: the last tile may be short
  int* tile = data + first;

  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (i < stride && i + stride < left) tile[i] += tile[i + stride];
  }

  if (i == 0) sums[blockIdx.x] = tile[0];
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
