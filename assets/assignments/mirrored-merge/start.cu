// Bitonic sort in shared memory: runs of 1, 2, 4, ... are merged by compare-exchanges. The first exchange of
// a merge mirrors the two runs, the others go on with half the stride.
#include <algorithm>
#include <cstdio>
#include <vector>

const int N = 16, BLOCK = 8, TILE = 2 * BLOCK;

// Thread i has the pair left, right. Mirrored: the first of the left run with the last of the right run.
__device__ void exchange(int* a, int i, int stride, bool mirrored, int n) {
  int left = i / stride * 2 * stride + i % stride;
  int right = left + stride;
  if (right >= n) return;
  int x = a[left], y = a[right];
  if (x > y) {
    a[left] = y;
    a[right] = x;
  }
}

__global__ void sort(int* data, int n) {
  __shared__ int s[TILE];
  int i = threadIdx.x;
  for (int k = i; k < n; k += BLOCK) s[k] = data[k];
  __syncthreads();
  for (int run = 1; run < TILE; run *= 2)
    for (int stride = run; stride > 0; stride /= 2) {
      exchange(s, i, stride, stride == run, n);
      __syncthreads();
    }
  for (int k = i; k < n; k += BLOCK) data[k] = s[k];
}

int main() {
  static_assert(N <= TILE, "one block sorts all");
  std::vector<int> numbers(N), result(N);
  for (int i = 0; i < N; i++) numbers[i] = (37 * i + 11) % 100;

  int* data;
  cudaMalloc(&data, N * sizeof(int));
  cudaMemcpy(data, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);

  sort<<<1, BLOCK>>>(data, N);

  cudaMemcpy(result.data(), data, N * sizeof(int), cudaMemcpyDeviceToHost);
  std::sort(numbers.begin(), numbers.end());
  printf("%d numbers: %s\n", N, result == numbers ? "sorted" : "wrong");
  cudaFree(data);
  return result == numbers ? 0 : 1;
}
