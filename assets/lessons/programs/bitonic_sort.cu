// Bitonic sort (Batcher 1968): runs of 1, 2, 4, ... are merged by compare-exchanges whose places are fixed.
// The first exchange of a merge mirrors the two runs, so that every exchange puts the smaller value left.
// Then a guard is enough for any number of values. Runs that fit are sorted in shared memory.
// barrierscope: expect data = sort(data)
#include <algorithm>
#include <cstdio>
#include <vector>

const int N = 16, BLOCK = 8, TILE = 2 * BLOCK, TILES = (N + TILE - 1) / TILE;
static_assert((BLOCK & (BLOCK - 1)) == 0, "runs double in length");

// Thread i has a pair, `stride` apart, or mirrored in the middle of two runs of `stride`.
__device__ void exchange(int* a, int i, int stride, bool mirrored, int n) {
  int left = i / stride * 2 * stride + i % stride;
  int right = mirrored ? left + 2 * (stride - i % stride) - 1 : left + stride;
  if (right >= n) return;
  int x = a[left], y = a[right];
  if (x > y) {
    a[left] = y;
    a[right] = x;
  }
}

__global__ void sort_tiles(int* data, int n) {
  __shared__ int s[TILE];
  int i = threadIdx.x, first = blockIdx.x * TILE, count = min(TILE, n - first);
  for (int k = i; k < count; k += BLOCK) s[k] = data[first + k];
  __syncthreads();
  for (int run = 1; run < TILE; run *= 2)
    for (int stride = run; stride > 0; stride /= 2) {
      exchange(s, i, stride, stride == run, count);
      __syncthreads();
    }
  for (int k = i; k < count; k += BLOCK) data[first + k] = s[k];
}

// Pairs of different tiles are exchanged in global memory, a launch for each stride.
__global__ void exchange_far(int* data, int n, int stride, bool mirrored) {
  exchange(data, blockIdx.x * BLOCK + threadIdx.x, stride, mirrored, n);
}

__global__ void merge_tiles(int* data, int n) {
  __shared__ int s[TILE];
  int i = threadIdx.x, first = blockIdx.x * TILE, count = min(TILE, n - first);
  for (int k = i; k < count; k += BLOCK) s[k] = data[first + k];
  __syncthreads();
  for (int stride = TILE / 2; stride > 0; stride /= 2) {
    exchange(s, i, stride, false, count);
    __syncthreads();
  }
  for (int k = i; k < count; k += BLOCK) data[first + k] = s[k];
}

int main() {
  std::vector<int> numbers(N), result(N);
  for (int i = 0; i < N; i++) numbers[i] = (i * 37LL + 11) % 100;

  int* data;
  cudaMalloc(&data, N * sizeof(int));
  cudaMemcpy(data, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);

  sort_tiles<<<TILES, BLOCK>>>(data, N);
  for (int run = TILE; run < N; run *= 2) {
    for (int stride = run; stride >= TILE; stride /= 2) {
      int pairs = (N + 2 * stride - 1) / (2 * stride) * stride;
      exchange_far<<<pairs / BLOCK, BLOCK>>>(data, N, stride, stride == run);
    }
    merge_tiles<<<TILES, BLOCK>>>(data, N);
  }
  cudaMemcpy(result.data(), data, N * sizeof(int), cudaMemcpyDeviceToHost);

  std::sort(numbers.begin(), numbers.end());
  printf("%d numbers: %s\n", N, result == numbers ? "sorted" : "wrong");
  cudaFree(data);
  return result == numbers ? 0 : 1;
}
