// Inclusive scan of N numbers, ITEMS a thread (Kirk and Hwu, chapter 11): each thread scans a section
// alone, the sections' last numbers are scanned together, and each section adds what lies before it.
#include <cstdio>

const int N = 300, BLOCK = 32, ITEMS = 4, TILE = BLOCK * ITEMS;
static_assert(TILE > 1, "tiles of one number would leave as many as there were");

// barrierscope: expect data = inclusive_scan(data)
__global__ void scan(int* data, int* totals, int n) {
  __shared__ int sum[TILE];
  int i = threadIdx.x, base = blockIdx.x * TILE;
  int first = i * ITEMS, last = first + ITEMS - 1;  // of this thread's section
  for (int k = i; k < TILE; k += BLOCK) sum[k] = base + k < n ? data[base + k] : 0;
  __syncthreads();

  for (int k = first + 1; k <= last; k++) sum[k] = sum[k - 1] + sum[k];

  for (int stride = 1; stride < BLOCK; stride *= 2) {
    int left = 0;
    __syncthreads();
    if (i >= stride) left = sum[last - stride * ITEMS];
    __syncthreads();
    if (i >= stride) sum[last] = left + sum[last];
  }
  __syncthreads();

  if (i > 0) {
    int before = sum[first - 1];
    for (int k = first; k < last; k++) sum[k] = before + sum[k];
  }
  __syncthreads();

  for (int k = i; k < TILE; k += BLOCK) {
    int result = sum[k];
    if (base + k < n) data[base + k] = result;
  }
  if (i == 0) totals[blockIdx.x] = sum[TILE - 1];
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
