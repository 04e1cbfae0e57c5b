// The sum of N numbers by a fixed number of blocks, whatever N is: each thread walks over the input in
// strides of the whole grid, four numbers a load; then the lanes of each warp add by shuffles, then the
// warps. A second launch of one block adds the blocks' sums.
#include <cstdio>

const int N = 1030, BLOCK = 64, BLOCKS = 2;  // at most so many blocks
const int WARPS = (BLOCK + 31) / 32, LANES = BLOCK < 32 ? BLOCK : 32;
static_assert((BLOCK & (BLOCK - 1)) == 0, "a power of two, so that it can be halved to one");

__device__ int sum_of_lanes(int mine, int lanes) {
  for (int stride = lanes / 2; stride > 0; stride /= 2) mine += __shfl_xor_sync(0xffffffff, mine, stride);
  return mine;
}

// barrierscope: expect sums = sum(data)
__global__ void reduce(const int* data, int* sums, int n) {
  __shared__ int s[WARPS];
  int i = threadIdx.x, lane = i % 32, warp = i / 32;
  int me = blockIdx.x * blockDim.x + i, threads = gridDim.x * blockDim.x;
  const int4* fours = (const int4*)data;
  int mine = 0;
  for (int k = me; k < n / 4; k += threads) {
    int4 v = fours[k];
    mine += v.x;
    mine += v.y;
    mine += v.z;
    mine += v.w;
  }
  for (int k = n / 4 * 4 + me; k < n; k += threads) mine += data[k];  // the last one to three

  mine = sum_of_lanes(mine, LANES);
  if (lane == 0) s[warp] = mine;
  __syncthreads();

  if (warp > 0) return;
  mine = i < WARPS ? s[i] : 0;
  mine = sum_of_lanes(mine, WARPS);
  if (i == 0) sums[blockIdx.x] = mine;
}

int main() {
  static int numbers[N];  // not on the stack, which is too small for a large N
  int expected = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    expected += numbers[i];
  }

  int blocks = (N + 4 * BLOCK - 1) / (4 * BLOCK);
  if (blocks > BLOCKS) blocks = BLOCKS;
  int *data, *sums, *sum;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);

  reduce<<<blocks, BLOCK>>>(data, sums, N);
  if (blocks > 1) reduce<<<1, BLOCK>>>(sums, sum, blocks);

  int result = 0;
  cudaMemcpy(&result, blocks > 1 ? sum : sums, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(data);
  cudaFree(sums);
  cudaFree(sum);
  return result == expected ? 0 : 1;
}
