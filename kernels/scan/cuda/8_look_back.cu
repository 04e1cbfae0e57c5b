// Inclusive scan of N numbers in a single pass (Merrill and Garland 2016): each block scans a tile, publishes
// the tile's total, and looks back: it adds up what the tiles before have published, until it meets one that
// has published the sum of everything up to its end. Blocks draw their tiles by ticket, so that a block waits
// for blocks that have started. Every number is read once and written once.
#include <cstdio>

const int N = 3000, BLOCK = 64, ITEMS = 4, TILE = BLOCK * ITEMS, TILES = (N + TILE - 1) / TILE;
const int WARPS = (BLOCK + 31) / 32;
enum { NOTHING, TOTAL, PREFIX };  // what a tile has published

__device__ int scan_warp(int sum) {
  for (int stride = 1; stride < 32; stride *= 2) {
    int left = __shfl_up_sync(0xffffffff, sum, stride);
    if (threadIdx.x % 32 >= stride) sum = left + sum;
  }
  return sum;
}

// volatile: other blocks change these while this one looks
// barrierscope: expect result = inclusive_scan(data)
__global__ void scan(const int* data, int* result, int* ticket, volatile int* published, volatile int* totals,
                     volatile int* prefixes, int n) {
  __shared__ int tile;
  __shared__ int before[WARPS];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int lanes = min(32, BLOCK - 32 * warp), end = lanes - 1;  // of this warp
  if (threadIdx.x == 0) tile = atomicAdd(ticket, 1);
  __syncthreads();

  int mine = tile, first = (mine * BLOCK + 32 * warp) * ITEMS + lane;
  int sum[ITEMS], upto = 0;
  for (int r = 0; r < ITEMS; r++) {  // a warp takes ITEMS rows, one after the other
    int k = first + r * lanes;
    sum[r] = upto + scan_warp(k < n ? data[k] : 0);
    upto = __shfl_sync(0xffffffff, sum[r], end);
  }
  if (lane == end) before[warp] = upto;
  __syncthreads();

  if (warp == 0) {
    int own = scan_warp(lane < WARPS ? before[lane] : 0), left = 0;
    if (lane == end) {
      totals[mine] = own;
      __threadfence();  // the total before the word that says that it is there
      published[mine] = TOTAL;
    }
    for (int last = mine - 1; last >= 0; last -= lanes) {  // a lane for each tile up to the last
      int k = last - end + lane, theirs = 0;
      bool complete = false;
      if (k >= 0) {
        int state;
        while ((state = published[k]) == NOTHING) {}
        __threadfence();
        complete = state == PREFIX;
        theirs = complete ? prefixes[k] : totals[k];
      }
      unsigned completes = __ballot_sync(0xffffffff, complete);
      if (completes >> lane > 1) theirs = 0;  // it is in the prefix of a later tile
      left = __shfl_sync(0xffffffff, scan_warp(theirs), end) + left;
      if (completes) break;
    }
    if (lane == end) {
      prefixes[mine] = left + own;
      __threadfence();
      published[mine] = PREFIX;
    }
    own = __shfl_up_sync(0xffffffff, own, 1);
    if (lane < WARPS) before[lane] = lane > 0 ? left + own : left;
  }
  __syncthreads();

  int carried = before[warp];
  for (int r = 0; r < ITEMS; r++) {
    int k = first + r * lanes;
    if (k < n) result[k] = carried + sum[r];
  }
}

int main() {
  static int numbers[N], expected[N], result[N];  // not on the stack, which is too small for a large N
  int sum = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    sum += numbers[i];
    expected[i] = sum;
  }

  int *data, *output, *ticket, *published, *totals, *prefixes;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&output, N * sizeof(int));
  cudaMalloc(&ticket, sizeof(int));
  cudaMalloc(&published, TILES * sizeof(int));
  cudaMalloc(&totals, TILES * sizeof(int));
  cudaMalloc(&prefixes, TILES * sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(ticket, 0, sizeof(int));
  cudaMemset(published, 0, TILES * sizeof(int));

  scan<<<TILES, BLOCK>>>(data, output, ticket, published, totals, prefixes, N);

  cudaMemcpy(result, output, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    if (i < 100) printf("%d ", result[i]);
    if (result[i] != expected[i]) wrong++;
  }
  printf("\n%d of %d are wrong\n", wrong, N);
  cudaFree(data);
  cudaFree(output);
  cudaFree(ticket);
  cudaFree(published);
  cudaFree(totals);
  cudaFree(prefixes);
  return wrong ? 1 : 0;
}
