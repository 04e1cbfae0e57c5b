// The sum of N numbers in place, in global memory: each thread first adds UNROLL numbers that lie a block
// apart, so that a warp reads neighbours. Then the lower half of the threads adds what lies half a block
// away, and half of it again. The input is destroyed.
#include <cstdio>

const int N = 150, BLOCK = 64, UNROLL = 1, TILE = BLOCK * UNROLL;
static_assert((BLOCK & (BLOCK - 1)) == 0, "a power of two, so that it can be halved to one");
static_assert(TILE > 1, "tiles of one number would leave as many as there were");

// barrierscope: expect sums = sum(data)
__global__ void reduce(int* data, int* sums, int n) {
  int i = threadIdx.x;
  int first = blockIdx.x * TILE;  // of this block's tile
  int left = n - first;           // numbers from there on: the last tile may be short
  int* tile = data + first;
  if (UNROLL > 1 && left >= TILE) {
    int mine = tile[i];
#pragma unroll
    for (int u = 1; u < UNROLL; u++) mine += tile[i + u * BLOCK];
    tile[i] = mine;
  } else {
    for (int k = i + BLOCK; k < TILE && k < left; k += BLOCK) tile[i] += tile[k];
  }

  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (i < stride && i + stride < left) tile[i] += tile[i + stride];
  }

  if (i == 0) sums[blockIdx.x] = tile[0];
}

// Sums up the blocks' sums in the same way, until one is left. Gives where it lies.
int* reduce_all(int* data, int n) {
  int blocks = (n + TILE - 1) / TILE;
  int* sums;
  cudaMalloc(&sums, blocks * sizeof(int));
  reduce<<<blocks, BLOCK>>>(data, sums, n);
  if (blocks == 1) return sums;
  int* sum = reduce_all(sums, blocks);
  cudaFree(sums);
  return sum;
}

int main() {
  static int numbers[N];  // not on the stack, which is too small for a large N
  int expected = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    expected += numbers[i];
  }

  int* data;
  cudaMalloc(&data, N * sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);

  int* sum = reduce_all(data, N);

  int result = 0;
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(data);
  cudaFree(sum);
  return result == expected ? 0 : 1;
}
