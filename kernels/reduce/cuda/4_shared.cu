// The sum of N numbers by halves in shared memory. A thread adds UNROLL numbers, a block apart, before the
// tree begins. Each block leaves one sum; those are summed up in the same way, until one is left.
#include <cstdio>

const int N = 300, BLOCK = 64, UNROLL = 2, TILE = BLOCK * UNROLL;
static_assert((BLOCK & (BLOCK - 1)) == 0, "a power of two, so that it can be halved to one");
static_assert(TILE > 1, "tiles of one number would leave as many as there were");

// barrierscope: expect sums = sum(data)
__global__ void reduce(const int* data, int* sums, int n) {
  __shared__ int s[BLOCK];
  int i = threadIdx.x;
  int first = blockIdx.x * blockDim.x * UNROLL + i;
  int mine = first < n ? data[first] : 0;
#pragma unroll
  for (int u = 1; u < UNROLL; u++) {
    int k = first + u * blockDim.x;
    if (k < n) mine += data[k];
  }
  s[i] = mine;

  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (i < stride) s[i] += s[i + stride];
  }

  if (i == 0) sums[blockIdx.x] = s[0];
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
