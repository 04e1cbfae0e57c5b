// The sum of N numbers: halves in shared memory until one warp is left, whose lanes then take from one
// another by shuffles, without barriers. Each block leaves one sum; those are summed up in the same way,
// until one is left.
#include <cstdio>

const int N = 300, BLOCK = 128, TILE = BLOCK;
static_assert((BLOCK & (BLOCK - 1)) == 0, "a power of two, so that it can be halved to one");
static_assert(TILE > 1, "tiles of one number would leave as many as there were");

// barrierscope: expect sums = sum(data)
__global__ void reduce(const int* data, int* sums, int n) {
  __shared__ int s[BLOCK];
  int i = threadIdx.x;
  int k = blockIdx.x * blockDim.x + i;
  s[i] = k < n ? data[k] : 0;

  int stride = blockDim.x / 2;
  for (; stride >= 32; stride /= 2) {
    __syncthreads();
    if (i < stride) s[i] += s[i + stride];
  }

  if (i < 32) {
    int mine = s[i];
    for (; stride > 0; stride /= 2) mine += __shfl_xor_sync(0xffffffff, mine, stride);
    if (i == 0) sums[blockIdx.x] = mine;
  }
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
