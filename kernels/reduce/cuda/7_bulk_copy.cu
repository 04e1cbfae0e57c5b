// The sum of N numbers, read by the copy engine: one block stays on each multiprocessor with a ring of tiles
// in shared memory. Thread 0 asks for tiles STAGES steps ahead; each arrives at a barrier, at which the
// threads wait. One 64-bit atomic a block ends the sum: the block that completes the count holds all of it.
// Compute capability 9.0, where such a copy is one instruction (cp.async.bulk): nvcc -arch=sm_90
#include <cstdio>
#include <cuda/barrier>

const int N = 5000, BLOCK = 64, ITEMS = 1, STAGES = 3;  // ITEMS: vectors of four numbers a thread
const int TILE = 4 * ITEMS * BLOCK, WARPS = (BLOCK + 31) / 32;

typedef cuda::barrier<cuda::thread_scope_block> Barrier;

// Step k of a block is its k-th tile: where it begins, and how many numbers the engine copies of it, in whole
// vectors.
__device__ int first(int k) { return (blockIdx.x + k * gridDim.x) * TILE; }
__device__ int cells(int k, int n) { return first(k) >= n ? 0 : min(TILE, (n - first(k)) / 4 * 4); }

__device__ void load(int* ring, Barrier* arrived, const int* data, int n, int k) {
  int* to = ring + k % STAGES * TILE;
  cuda::aligned_size_t<16> bytes(cells(k, n) * sizeof(int));
  if (bytes > 0) cuda::memcpy_async(to, data + first(k), bytes, arrived[k % STAGES]);
  (void)arrived[k % STAGES].arrive();
}

__global__ void reduce(const int* data, int* sum, unsigned long long* so_far, int n) {
  extern __shared__ __align__(16) int ring[];  // STAGES tiles
  __shared__ int of_warp[WARPS];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier arrived[STAGES];
  int i = threadIdx.x, lane = i % 32, warp = i / 32;
  if (i == 0) {
    for (int k = 0; k < STAGES; k++) init(&arrived[k], 1);        // one thread arrives: it brings the copy
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the engine sees that they are ready
    for (int k = 0; k < STAGES; k++) load(ring, arrived, data, n, k);
  }
  __syncthreads();

  const int4* fours = (const int4*)ring;
  int mine = 0;
  for (int k = 0; cells(k, n) > 0; k++) {
    arrived[k % STAGES].wait_parity(k / STAGES % 2);
#pragma unroll
    for (int v = i; v < ITEMS * BLOCK; v += BLOCK) {
      if (4 * v >= cells(k, n)) break;
      int4 x = fours[k % STAGES * ITEMS * BLOCK + v];
      mine += x.x + x.y + x.z + x.w;
    }
    __syncthreads();  // all have read the tile: its place is free
    if (i == 0) load(ring, arrived, data, n, k + STAGES);
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

  cudaDeviceProp gpu;
  cudaGetDeviceProperties(&gpu, 0);
  int blocks = (N + TILE - 1) / TILE, bytes = STAGES * TILE * sizeof(int);
  if (blocks > gpu.multiProcessorCount) blocks = gpu.multiProcessorCount;
  cudaFuncSetAttribute(reduce, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  reduce<<<blocks, BLOCK, bytes>>>(data, sum, so_far, N);

  int result = 0;
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(data);
  cudaFree(sum);
  cudaFree(so_far);
  return result == expected ? 0 : 1;
}
