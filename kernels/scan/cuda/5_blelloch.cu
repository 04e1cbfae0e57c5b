// Exclusive scan of N numbers (Blelloch 1990), two a thread: an up-sweep adds towards the root, the root
// is cleared, a down-sweep hands what lies before each subtree down to it. The tiles' totals are scanned
// the same way, and added back.
#include <cstdio>

const int N = 300, BLOCK = 64, TILE = 2 * BLOCK;
static_assert((BLOCK & (BLOCK - 1)) == 0, "a power of two, so that it can be halved to one");

// barrierscope: expect data = exclusive_scan(data)
__global__ void scan(int* data, int* totals, int n) {
  __shared__ int sum[TILE];
  int i = threadIdx.x, first = blockIdx.x * TILE;
  for (int k = i; k < TILE; k += BLOCK) sum[k] = first + k < n ? data[first + k] : 0;

  for (int stride = 1; stride < TILE; stride *= 2) {
    __syncthreads();
    int right = 2 * stride * (i + 1) - 1;
    if (right < TILE) sum[right] = sum[right - stride] + sum[right];
  }
  __syncthreads();
  if (i == 0) {
    totals[blockIdx.x] = sum[TILE - 1];
    sum[TILE - 1] = 0;
  }
  __syncthreads();
  for (int stride = TILE / 2; stride > 0; stride /= 2) {
    int right = 2 * stride * (i + 1) - 1;
    if (right < TILE) {
      int left = sum[right - stride];
      sum[right - stride] = sum[right];
      sum[right] += left;
    }
    __syncthreads();
  }

  for (int k = i; k < TILE; k += BLOCK)
    if (first + k < n) data[first + k] = sum[k];
}

// Each block adds what lies before its tile.
__global__ void add_totals(int* data, const int* totals, int n) {
  int before = totals[blockIdx.x];
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
    expected[i] = sum;
    sum += numbers[i];
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
