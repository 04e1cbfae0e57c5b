// A histogram with a mistake: keys of type char, which is signed on most machines. From 128 on a key is a
// negative number, and the bin that it names lies before the first one.
#include <cstdio>

using Key = char;
const int N = 300, BINS = 256, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void histogram(const Key* keys, int* bins, int n) {
  __shared__ int local[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();

  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n) atomicAdd(&local[keys[k]], 1);
  __syncthreads();

  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    if (local[b] > 0) atomicAdd(&bins[b], local[b]);
}

int main() {
  unsigned char text[N];
  int counts[BINS], expected[BINS] = {};
  for (int i = 0; i < N; i++) {
    text[i] = i * i % BINS;
    expected[text[i]]++;
  }

  Key* keys;
  int* bins;
  cudaMalloc(&keys, N);
  cudaMalloc(&bins, BINS * sizeof(int));
  cudaMemcpy(keys, text, N, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, BINS * sizeof(int));

  histogram<<<BLOCKS, BLOCK>>>(keys, bins, N);

  cudaMemcpy(counts, bins, BINS * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int b = 0; b < BINS; b++) wrong += counts[b] != expected[b];
  printf("%d keys, %d bins wrong\n", N, wrong);
  cudaFree(keys);
  cudaFree(bins);
  return wrong ? 1 : 0;
}
