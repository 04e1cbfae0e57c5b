// Inclusive scan of N numbers (Brent and Kung 1982), two a thread: a tree adds towards the right, then a
// second tree fills the gaps. The tiles' totals are scanned the same way, and added back.
#include <cstdio>

const int N = 300, BLOCK = 64, TILE = 2 * BLOCK;

// barrierscope: expect data = inclusive_scan(data)
__global__ void scan(int* data, int* totals, int n) {
  __shared__ int sum[TILE];
  int i = threadIdx.x, first = blockIdx.x * TILE;
  for (int k = i; k < TILE; k += BLOCK) sum[k] = first + k < n ? data[first + k] : 0;

  int stride = 1;
  for (; stride < TILE; stride *= 2) {
    __syncthreads();
    int right = 2 * stride * (i + 1) - 1;
    if (right < TILE) sum[right] = sum[right - stride] + sum[right];
  }
  for (stride /= 4; stride > 0; stride /= 2) {
    __syncthreads();
    int left = 2 * stride * (i + 1) - 1;
    if (left + stride < TILE) sum[left + stride] = sum[left] + sum[left + stride];
  }
  __syncthreads();

  for (int k = i; k < TILE; k += BLOCK) {
    int result = sum[k];
    if (first + k < n) data[first + k] = result;
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
