// Inclusive scan of N numbers at the speed of a copy. The copy engine fills a ring of tiles in shared memory,
// STAGES steps ahead. A block publishes the total of its NEXT tile before it ends this one, so that what lies
// before a tile is the sum of all totals since the block's own last tile, read at once: they were published a
// step ago. A total and a count of one share a 64-bit word, so a word that is not zero says by itself that
// the total is there. A block draws its next tile by a ticket, so that none waits for a slower one. All
// blocks must run at the same time. Compute capability 9.0: nvcc -arch=sm_90
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>

const int N = 5000, BLOCK = 64, ITEMS = 3, STAGES = 4;  // ITEMS: vectors of four numbers a thread
const int TILE = 4 * ITEMS * BLOCK, TILES = (N + TILE - 1) / TILE, WARPS = (BLOCK + 31) / 32;
static_assert(STAGES > 2, "a tile is read, the next one's total is taken, and the one before is sent");
const int PIECE = 4 * BLOCK;  // numbers that one copy brings
const int WHOLE = N / 4 * 4;  // the engine moves whole vectors; one to three numbers are left over
const int BYTES = STAGES * TILE * sizeof(int);
const int PER_MULTIPROCESSOR = 2 * BYTES <= 220 << 10 && 2 * BLOCK <= 1024 ? 2 : 1;  // blocks

typedef cuda::barrier<cuda::thread_scope_block> Barrier;
// A word that other blocks change while this one looks. Relaxed: it orders nothing but itself, and need not.
typedef unsigned long long Part;
typedef cuda::atomic_ref<Part, cuda::thread_scope_device> Word;
typedef cuda::atomic_ref<int, cuda::thread_scope_device> Flag;

__device__ int await(Part& part) {
  Part word;
  while ((word = Word(part).load(cuda::memory_order_relaxed)) == 0) {}
  return int(word >> 32);
}

__device__ int scan_lanes(int upto) {
  for (int stride = 1; stride < 32; stride *= 2) {
    int left = __shfl_up_sync(0xffffffff, upto, stride);
    if (threadIdx.x % 32 >= stride) upto = left + upto;
  }
  return upto;
}

// How many numbers of a tile the engine copies.
__device__ int cells(int tile) { return tile < TILES ? min(TILE, WHOLE - tile * TILE) : 0; }

// Whether vector v of this thread lies in the array.
__device__ bool is_there(int tile, int v) { return tile * TILE + 4 * (threadIdx.x * ITEMS + v) < N; }

// state[0] is the ticket; state[1] says which half of totals this call uses: it clears the other one.
__global__ void __launch_bounds__(BLOCK, PER_MULTIPROCESSOR)
    scan(const int* data, int* result, Part* totals, int* state) {
  extern __shared__ __align__(16) int ring[];  // STAGES tiles
  __shared__ int of_warp[2][WARPS], seen[WARPS], tile_at[STAGES], half;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier arrived[STAGES];
  int i = threadIdx.x, lane = i % 32, warp = i / 32, lanes = min(32, BLOCK - 32 * warp);  // of this warp

  auto load = [&](int k, int tile) {  // step k is about this tile
    tile_at[k % STAGES] = tile;
    for (int c = 0; c < cells(tile); c += PIECE) {
      cuda::aligned_size_t<16> bytes(min(PIECE, cells(tile) - c) * sizeof(int));
      cuda::memcpy_async(ring + k % STAGES * TILE + c, data + tile * TILE + c, bytes, arrived[k % STAGES]);
    }
    (void)arrived[k % STAGES].arrive();
  };
  if (i == 0) {
    for (int k = 0; k < STAGES; k++) init(&arrived[k], 1);        // one thread arrives: it brings the copies
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the engine sees that they are ready
    for (int k = 0; k < STAGES; k++) load(k, blockIdx.x + k * gridDim.x);
    half = Flag(state[1]).load(cuda::memory_order_acquire) * TILES;
  }
  __syncthreads();

  int now = half, next;
  int4* fours = (int4*)ring;
  // Awaits step k's tile, `next`, and publishes its total. Gives what lies before this thread in it.
  auto publish_step = [&](int k) {
    int sum = 0;
    arrived[k % STAGES].wait_parity(k / STAGES % 2);
    next = tile_at[k % STAGES];
    if (next >= TILES) return sum;
    if (next == TILES - 1 && WHOLE < N && i == cells(next) / (4 * ITEMS))
      for (int r = 0; r < 4; r++) {  // the numbers of this thread that the engine left behind
        int x = WHOLE + r < N ? data[WHOLE + r] : 0;
        ring[k % STAGES * TILE + cells(next) + r] = x;
      }
    for (int v = 0; v < ITEMS; v++)
      if (is_there(next, v)) {
        int4 x = fours[(k % STAGES * BLOCK + i) * ITEMS + v];
        sum += x.x + x.y + x.z + x.w;
      }
    int upto = scan_lanes(sum);
    if (lane == 31) of_warp[k % 2][warp] = upto;
    __syncthreads();
    int left = 0;
    if (lane < warp) left = of_warp[k % 2][lane];
    for (int w = lane + lanes; w < warp; w += lanes) left += of_warp[k % 2][w];  // a short warp has few lanes
    left = __reduce_add_sync(0xffffffff, left);
    if (i == BLOCK - 1) {
      Word(totals[now + next]).store((Part)(unsigned)(left + upto) << 32 | 1, cuda::memory_order_relaxed);
      totals[TILES - now + next] = 0;  // for the next call
    }
    int below = __shfl_up_sync(0xffffffff, upto, 1);
    if (lane > 0) left += below;
    return left;
  };

  int before = 0, last = 0, drawn = 0, ahead = 0;  // before: the sum of all tiles before this one
  int in_tile = publish_step(0), mine = next;
  for (int k = 0; mine < TILES; k++) {
    int in_next = publish_step(k + 1);
    if (i == 0) drawn = atomicAdd(&state[0], 1);

    int look = min(WARPS, (mine - last + 31) / 32);  // so many warps have something to look at
    if (warp < look) {
      int since = 0;
      for (int j = last + i; j < mine; j += BLOCK) since += await(totals[now + j]);
      since = __reduce_add_sync(0xffffffff, since);
      if (lane == 0) seen[warp] = since;
    }
    __syncthreads();

    for (int w = 0; w < look; w++) before += seen[w];
    int sum = before + in_tile;
    for (int v = 0; v < ITEMS; v++)
      if (is_there(mine, v)) {
        int4 x = fours[(k % STAGES * BLOCK + i) * ITEMS + v];
        x.x = sum = sum + x.x;
        x.y = sum = sum + x.y;
        x.z = sum = sum + x.z;
        x.w = sum = sum + x.w;
        fours[(k % STAGES * BLOCK + i) * ITEMS + v] = x;
      }
    // what threads wrote comes before what the engine will write there
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();

    if (mine == TILES - 1)
      for (int r = WHOLE + i; r < N; r += BLOCK) result[r] = ring[k % STAGES * TILE + r - mine * TILE];
    for (int v = i; v < cells(mine) / 4; v += BLOCK)
      ((int4*)(result + mine * TILE))[v] = fours[k % STAGES * (TILE / 4) + v];
    if (i == 0) {
      // step k - 1 has been sent, as all know that passed the barriers since: its place is free
      if (k > 0) load(k - 1 + STAGES, ahead + STAGES * gridDim.x);
      ahead = drawn;
    }
    in_tile = in_next;
    last = mine;
    mine = next;
  }
  if (i > 0 || drawn < TILES - 1) return;
  atomicExch(&state[0], 0);  // the last ticket: ready for the next call
  atomicExch(&state[1], now ? 0 : 1);
}

int main() {
  static int numbers[N], expected[N], result[N];  // not on the stack, which is too small for a large N
  int sum = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    sum += numbers[i];
    expected[i] = sum;
  }

  int *data, *output, *state;
  Part* totals;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&output, N * sizeof(int));
  cudaMalloc(&totals, 2 * TILES * sizeof(Part));
  cudaMalloc(&state, 2 * sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(totals, 0, 2 * TILES * sizeof(Part));
  cudaMemset(state, 0, 2 * sizeof(int));

  cudaDeviceProp gpu;
  cudaGetDeviceProperties(&gpu, 0);
  int blocks = PER_MULTIPROCESSOR * gpu.multiProcessorCount;
  if (blocks > TILES) blocks = TILES;
  cudaFuncSetAttribute(scan, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
  scan<<<blocks, BLOCK, BYTES>>>(data, output, totals, state);

  cudaMemcpy(result, output, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    if (i < 100) printf("%d ", result[i]);
    if (result[i] != expected[i]) wrong++;
  }
  printf("\n%d of %d are wrong\n", wrong, N);
  cudaFree(data);
  cudaFree(output);
  cudaFree(totals);
  cudaFree(state);
  return wrong ? 1 : 0;
}
