// How often each key occurs: each block counts in bins of its own in shared memory, then adds them to the
// grid's.
#include <cstdio>

const int N = 200, BINS = 20, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

// barrierscope: expect bins = histogram(keys)
__global__ void histogram(const unsigned char* keys, int* bins, int n) {
  __shared__ int local[BINS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
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

  unsigned char* keys;
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
