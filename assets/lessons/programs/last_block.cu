// The sum of N numbers in one launch of a fixed number of blocks, whatever N is. Each thread takes numbers a
// whole grid apart, each block adds up what its threads have, and the last block to finish adds up the blocks'
// sums. FENCE = false leaves out the fences, which make these sums visible to it.
#include <cstdio>
#include <vector>

const int N = 100, BLOCK = 8, BLOCKS = 4;
const bool FENCE = true;
static_assert((BLOCK & (BLOCK - 1)) == 0, "a power of two, so that it can be halved to one");

/// The sum of what the threads of a block bring, in thread 0.
__device__ int sum_of_block(int* s, int mine) {
  int i = threadIdx.x;
  s[i] = mine;
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (i < half) s[i] += s[i + half];
  }
  return s[i];
}

__global__ void sum_all(const int* in, int* partial, int* done, int* total, int n) {
  __shared__ int s[BLOCK];
  __shared__ bool last;
  int i = threadIdx.x, blocks = gridDim.x, threads = blocks * BLOCK;

  int mine = 0;
  for (int k = blockIdx.x * BLOCK + i; k < n; k += threads) mine += in[k];
  int sum = sum_of_block(s, mine);

  if (i == 0) {
    partial[blockIdx.x] = sum;
    if (FENCE) __threadfence();  // the sum comes before the count
    last = atomicAdd(done, 1) == blocks - 1;
  }
  __syncthreads();
  if (!last) return;
  if (FENCE) __threadfence();  // the count comes before what is read of other blocks' sums

  mine = 0;
  for (int b = i; b < blocks; b += BLOCK) mine += partial[b];
  sum = sum_of_block(s, mine);
  if (i == 0) {
    *total = sum;
    *done = 0;  // ready for the next launch
  }
}

int main() {
  std::vector<int> numbers(N);
  int expected = 0;
  for (int i = 0; i < N; i++) expected += numbers[i] = 1 + 7 * i % 10;

  int *in, *partial, *done, *total;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&partial, BLOCKS * sizeof(int));
  cudaMalloc(&done, sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(done, 0, sizeof(int));

  sum_all<<<BLOCKS, BLOCK>>>(in, partial, done, total, N);

  int result = 0;
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(in);
  cudaFree(partial);
  cudaFree(done);
  cudaFree(total);
  return result == expected ? 0 : 1;
}
