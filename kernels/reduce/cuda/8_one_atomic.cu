// The sum of N numbers in one launch, one tile and one atomic a block. Each thread asks for LOADS vectors of
// four numbers before it uses the first, so that memory is never idle. Sum and number of blocks share a
// 64-bit word: the block that completes the count holds the whole sum. Compute capability 8.0 or higher: nvcc
// -arch=sm_80
#include <cstdio>

const int N = 5000, BLOCK = 64, LOADS = 2, TILE = 4 * LOADS * BLOCK;
const int BLOCKS = (N + TILE - 1) / TILE, WARPS = (BLOCK + 31) / 32;

__global__ void reduce(const int* data, int* sum, unsigned long long* so_far, int n) {
  __shared__ int of_warp[WARPS];
  int i = threadIdx.x, lane = i % 32, warp = i / 32;
  int first = blockIdx.x * LOADS * BLOCK + i;
  const int4* fours = (const int4*)data;
  int mine = 0;
  if (first + (LOADS - 1) * BLOCK < n / 4) {
    int4 x[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++) x[k] = fours[first + k * BLOCK];
#pragma unroll
    for (int k = 0; k < LOADS; k++) mine += x[k].x + x[k].y + x[k].z + x[k].w;
  } else {  // the end of the array
    for (int k = first; k < n / 4; k += BLOCK) {
      int4 x = fours[k];
      mine += x.x + x.y + x.z + x.w;
    }
  }
  if (blockIdx.x == 0)  // the one to three numbers that fill no vector
    for (int k = n - 1 - i; k >= n / 4 * 4; k -= BLOCK) mine += data[k];

  mine = __reduce_add_sync(0xffffffff, mine);
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();
  if (warp > 0) return;
  int part = i < WARPS ? of_warp[i] : 0;
  part = __reduce_add_sync(0xffffffff, part);

  if (i > 0) return;
  // the sum in the upper half of a word, one block in the lower one
  unsigned long long of_block = (unsigned long long)(unsigned)part << 32 | 1;
  unsigned long long all = atomicAdd(so_far, of_block) + of_block;
  if ((unsigned)all < gridDim.x) return;
  *sum = int(all >> 32);
  atomicExch(so_far, 0);  // ready for the next call
}

int main() {
  static int numbers[N];  // not on the stack, which is too small for a large N
  int expected = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    expected += numbers[i];
  }

  int *data, *sum;
  unsigned long long* so_far;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMalloc(&so_far, sizeof(*so_far));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(so_far, 0, sizeof(*so_far));

  reduce<<<BLOCKS, BLOCK>>>(data, sum, so_far, N);

  int result = 0;
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(data);
  cudaFree(sum);
  cudaFree(so_far);
  return result == expected ? 0 : 1;
}
