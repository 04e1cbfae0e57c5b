// Inclusive scan of N numbers (Hillis and Steele 1986): each thread adds what lies `stride` to its left,
// from one buffer into the other. The tiles' totals are scanned the same way, and added back.
#include <cstdio>

const int N = 150, BLOCK = 64, TILE = BLOCK;
static_assert(TILE > 1, "tiles of one number would leave as many as there were");

// barrierscope: expect data = inclusive_scan(data)
__global__ void scan(int* data, int* totals, int n) {
  __shared__ int sum[2][BLOCK];
  int i = threadIdx.x;
  int k = blockIdx.x * blockDim.x + i;
  int from = 0;
  sum[from][i] = k < n ? data[k] : 0;

  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    int mine = sum[from][i];
    if (i >= stride) mine = sum[from][i - stride] + mine;
    sum[1 - from][i] = mine;
    from = 1 - from;
  }

  if (i == blockDim.x - 1) totals[blockIdx.x] = sum[from][i];
  int result = sum[from][i];
  if (k < n) data[k] = result;
}

// Each block but the first adds what lies before its tile.
__global__ void add_totals(int* data, const int* totals, int n) {
  if (blockIdx.x == 0) return;
  int before = totals[blockIdx.x - 1];
  int first = blockIdx.x * TILE;
  for (int k = first + threadIdx.x; k < first + TILE && k < n; k += blockDim.x) data[k] = before + data[k];
}

// Scans the tiles, then the tiles' totals in the same way, and adds what lies before each tile.
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
