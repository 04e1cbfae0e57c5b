// An inclusive scan with a mistake: one buffer and one barrier a step. A thread overwrites its sum while
// its neighbour still reads it.
#include <cstdio>

const int N = 150, BLOCK = 64, TILE = BLOCK;

// barrierscope: expect data = inclusive_scan(data)
__global__ void scan(int* data, int* totals, int n) {
  __shared__ int sum[BLOCK];
  int i = threadIdx.x;
  int k = blockIdx.x * blockDim.x + i;
  int mine = 0;
  if (k < n) mine = data[k];
  sum[i] = mine;
  __syncthreads();

  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (i >= stride) sum[i] = sum[i - stride] + sum[i];
    __syncthreads();
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

// Scans the tiles, then the tiles' totals in the same way, and adds what lies before each tile.
void scan_tiles(int* data, int n) {
  int tiles = (n + TILE - 1) / TILE;
  int* totals;
  cudaMalloc(&totals, tiles * sizeof(int));
  scan<<<tiles, BLOCK>>>(data, totals, n);
  if (tiles > 1) {
    scan_tiles(totals, tiles);
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

  scan_tiles(data, N);

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
