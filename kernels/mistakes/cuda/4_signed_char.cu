// A histogram with a mistake: keys of type char, which is signed on most machines. From 128 on a key is a
// negative number, and the bin that it names lies before the first one: here, among other counters.
#include <cstdio>

const int N = 300, BINS = 256, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void histogram(const char* keys, int* bins, int n) {
  [[maybe_unused]] __shared__ int before[128];
  __shared__ int local[BINS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int b = threadIdx.x; b < 128; b += blockDim.x) before[b] = 0;
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();

  if (i < n) atomicAdd(&local[keys[i]], 1);
  __syncthreads();

  for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
    int count = local[b];
    if (count > 0) atomicAdd(&bins[b], count);
  }
}

int main() {
  static unsigned char text[N];  // not on the stack, which is too small for a large N
  int counts[BINS], expected[BINS] = {};
  for (int i = 0; i < N; i++) {
    text[i] = (long long)i * i % BINS;
    expected[text[i]]++;
  }

  char* keys;
  int* bins;
  cudaMalloc(&keys, N);
  cudaMalloc(&bins, BINS * sizeof(int));
  cudaMemcpy(keys, text, N, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, BINS * sizeof(int));

  histogram<<<BLOCKS, BLOCK>>>(keys, bins, N);

  cudaMemcpy(counts, bins, BINS * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int b = 0; b < BINS; b++) {
    printf("%d: %d\n", b, counts[b]);
    if (counts[b] != expected[b]) wrong++;
  }
  cudaFree(keys);
  cudaFree(bins);
  return wrong ? 1 : 0;
}
