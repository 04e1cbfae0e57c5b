// Radix sort: a pass for every BITS bits of the keys, from the lowest. A pass counts the digits of each
// block, scans the counts, and moves each key behind the keys of smaller digits, of earlier blocks, and of
// threads before it in its block. Equal digits keep their order, so the order of earlier passes remains.
#include <algorithm>
#include <cstdio>
#include <vector>

const int N = 16, BLOCK = 8, BLOCKS = (N + BLOCK - 1) / BLOCK;
const int KEY_BITS = 4, BITS = 2, DIGITS = 1 << BITS, COUNTS = DIGITS * BLOCKS;

__device__ int digit_of(unsigned key, int shift) { return key >> shift & (DIGITS - 1); }

__global__ void count(const unsigned* keys, int* counts, int n, int shift) {
  __shared__ int in_block[DIGITS];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  for (int d = threadIdx.x; d < DIGITS; d += BLOCK) in_block[d] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&in_block[digit_of(keys[i], shift)], 1);
  __syncthreads();
  for (int d = threadIdx.x; d < DIGITS; d += BLOCK) counts[d * gridDim.x + blockIdx.x] = in_block[d];
}

// One block: exclusive scan of all counts, BLOCK of them at a time.
__global__ void scan(int* counts, int n) {
  __shared__ int sum[BLOCK];
  int t = threadIdx.x, before = 0;
  for (int first = 0; first < n; first += BLOCK) {
    int x = first + t < n ? counts[first + t] : 0;
    sum[t] = x;
    for (int stride = 1; stride < BLOCK; stride *= 2) {
      __syncthreads();
      int left = t >= stride ? sum[t - stride] : 0;
      __syncthreads();
      sum[t] += left;
    }
    __syncthreads();
    if (first + t < n) counts[first + t] = before + sum[t] - x;
    before += sum[BLOCK - 1];
    __syncthreads();
  }
}

__global__ void scatter(const unsigned* keys, const int* counts, unsigned* sorted, int n, int shift) {
  __shared__ int rank[DIGITS][BLOCK];  // of each digit: how many threads up to this one have it
  int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
  unsigned key = i < n ? keys[i] : 0;
  int digit = digit_of(key, shift);
  for (int d = 0; d < DIGITS; d++) rank[d][t] = i < n && d == digit ? 1 : 0;
  for (int stride = 1; stride < BLOCK; stride *= 2) {
    int left[DIGITS];
    __syncthreads();
    for (int d = 0; d < DIGITS; d++) left[d] = t >= stride ? rank[d][t - stride] : 0;
    __syncthreads();
    for (int d = 0; d < DIGITS; d++) rank[d][t] += left[d];
  }
  if (i < n) sorted[counts[digit * gridDim.x + blockIdx.x] + rank[digit][t] - 1] = key;
}

int main() {
  std::vector<unsigned> numbers(N), result(N);
  for (unsigned i = 0; i < N; i++) numbers[i] = 2246822507u * (i * i + i + 7) >> (32 - KEY_BITS);

  unsigned *keys, *other;
  int* counts;
  cudaMalloc(&keys, N * sizeof(unsigned));
  cudaMalloc(&other, N * sizeof(unsigned));
  cudaMalloc(&counts, COUNTS * sizeof(int));
  cudaMemcpy(keys, numbers.data(), N * sizeof(unsigned), cudaMemcpyHostToDevice);

  for (int shift = 0; shift < KEY_BITS; shift += BITS) {
    count<<<BLOCKS, BLOCK>>>(keys, counts, N, shift);
    scan<<<1, BLOCK>>>(counts, COUNTS);
    scatter<<<BLOCKS, BLOCK>>>(keys, counts, other, N, shift);
    std::swap(keys, other);
  }
  cudaMemcpy(result.data(), keys, N * sizeof(unsigned), cudaMemcpyDeviceToHost);

  std::sort(numbers.begin(), numbers.end());
  printf("%d keys of %d bits: %s\n", N, KEY_BITS, result == numbers ? "sorted" : "wrong");
  cudaFree(keys);
  cudaFree(other);
  cudaFree(counts);
  return result == numbers ? 0 : 1;
}
