// Inclusive scan of any length from a scan of one tile (Blelloch 1990, 1.2.1). The blocks of a launch do not
// wait for each other, so the work goes in launches: each block scans its tile and leaves the tile's total;
// the totals are scanned in the same way; each block adds what lies before its tile. The tiles are small
// here, so that three levels are seen.
#include <cstdio>

const int N = 1000, BLOCK = 8, TILE = BLOCK;
static_assert(TILE > 1, "tiles of one number would leave as many as there were");

// barrierscope: expect data = inclusive_scan(data)
__global__ void scan(int* data, int* totals, int n) {
  __shared__ int sum[BLOCK];
  int i = threadIdx.x;
  int k = blockIdx.x * blockDim.x + i;
  sum[i] = k < n ? data[k] : 0;

  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    int left = 0;
    __syncthreads();
    if (i >= stride) left = sum[i - stride];
    __syncthreads();
    if (i >= stride) sum[i] = left + sum[i];
  }

  if (k < n) data[k] = sum[i];
  if (i == blockDim.x - 1) totals[blockIdx.x] = sum[i];
}

// Each block but the first adds what lies before its tile.
__global__ void add_totals(int* data, const int* totals, int n) {
  if (blockIdx.x == 0) return;
  int before = totals[blockIdx.x - 1];
  int first = blockIdx.x * TILE;
  for (int k = first + threadIdx.x; k < first + TILE && k < n; k += blockDim.x) data[k] = before + data[k];
}

// Scans the tiles, then the tiles' totals in the same way, and theirs, until one tile holds them all; then
// adds what lies before each tile, level by level.
void scan_all(int* data, int n) {
  int tiles = (n + TILE - 1) / TILE;
  int* totals;
  cudaMalloc(&totals, tiles * sizeof(int));
  scan<<<tiles, BLOCK>>>(data, totals, n);
  if (tiles > 1) {
    scan_all(totals, tiles);
    add_totals<<<tiles, BLOCK>>>(data, totals, n);
  }
  cudaFree(totals);
}

int main() {
  static int numbers[N], expected[N], result[N];  // not on the stack, which is too small for a large N
  int sum = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    sum += numbers[i];
    expected[i] = sum;
  }

  int* data;
  cudaMalloc(&data, N * sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);

  scan_all(data, N);

  cudaMemcpy(result, data, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    if (i < 100) printf("%d ", result[i]);
    if (result[i] != expected[i]) wrong++;
  }
  printf("\n%d of %d are wrong\n", wrong, N);
  cudaFree(data);
  return wrong ? 1 : 0;
}
