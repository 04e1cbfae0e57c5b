// The sum of N numbers in one launch, with neither fence nor atomic: every block leaves its part, and the
// last one adds up the parts. A part and a count of one share a 64-bit word, so a word that is not zero says
// by itself that the part is there. Every BLOCK-th block gathers the parts since the block that did so
// before, a thread for each, so that the last one has no more than BLOCK to wait for. Blocks wait for earlier
// blocks alone: hardware starts these first. Compute capability 8.0 or higher: nvcc -arch=sm_80
#include <cstdio>
#include <cuda/atomic>

const int N = 5000, BLOCK = 64, LOADS = 1, TILE = 4 * LOADS * BLOCK;
const int BLOCKS = (N + TILE - 1) / TILE, WARPS = (BLOCK + 31) / 32;

// A word that other blocks change while this one looks. Relaxed: it orders nothing but itself, and need not.
typedef unsigned long long Part;
typedef cuda::atomic_ref<Part, cuda::thread_scope_device> Word;

__device__ void publish(Part& part, int sum) {
  Word(part).store((Part)(unsigned)sum << 32 | 1, cuda::memory_order_relaxed);
}

__device__ int await(Part& part) {
  Part word;
  while ((word = Word(part).load(cuda::memory_order_relaxed)) == 0) {}
  return int(word >> 32);
}

__device__ void withdraw(Part& part) { Word(part).store(0, cuda::memory_order_relaxed); }

__global__ void reduce(const int* data, int* sum, Part* parts, int n) {
  __shared__ int of_warp[WARPS];
  int i = threadIdx.x, lane = i % 32, warp = i / 32, block = blockIdx.x, blocks = gridDim.x;
  int first = block * LOADS * BLOCK + i;
  const int4* fours = (const int4*)data;
  int mine = 0;
  if (first + (LOADS - 1) * BLOCK < n / 4) {
    int4 x[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      x[k] = fours[first + k * BLOCK];  // all on their way before the first is used
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
      mine += x[k].x;
      mine += x[k].y;
      mine += x[k].z;
      mine += x[k].w;
    }
  } else {  // the end of the array
    for (int k = first; k < n / 4; k += BLOCK) {
      int4 x = fours[k];
      mine += x.x;
      mine += x.y;
      mine += x.z;
      mine += x.w;
    }
  }
  if (block == 0)  // the one to three numbers that fill no vector
    for (int k = n - 1 - i; k >= n / 4 * 4; k -= BLOCK) mine += data[k];

  bool is_last = block == blocks - 1;
  if (block > 0 && (is_last || block % BLOCK == BLOCK - 1)) {
    int k = block / BLOCK * BLOCK - 1 + i;  // from the block that gathered before
    if (k >= 0 && k < block) {
      mine += await(parts[k]);
      withdraw(parts[k]);  // ready for the next call
    }
  }

  mine = __reduce_add_sync(0xffffffff, mine);
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();
  if (warp > 0) return;
  int part = i < WARPS ? of_warp[i] : 0;
  part = __reduce_add_sync(0xffffffff, part);
  if (is_last) {
    if (i == 0) *sum = part;
    return;
  }
  if (i == 0) publish(parts[block], part);
}

int main() {
  static int numbers[N];  // not on the stack, which is too small for a large N
  int expected = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    expected += numbers[i];
  }

  int *data, *sum;
  Part* parts;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMalloc(&parts, BLOCKS * sizeof(*parts));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(parts, 0, BLOCKS * sizeof(*parts));

  reduce<<<BLOCKS, BLOCK>>>(data, sum, parts, N);

  int result = 0;
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(data);
  cudaFree(sum);
  cudaFree(parts);
  return result == expected ? 0 : 1;
}
