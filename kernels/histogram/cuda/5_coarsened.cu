// How often each key occurs, ITEMS keys a thread, a block apart: a block clears its bins and adds them to
// the grid's only once for all of them.
#include <cstdio>

const int N = 400, BINS = 20, BLOCK = 64, ITEMS = 4, BLOCKS = (N + BLOCK * ITEMS - 1) / (BLOCK * ITEMS);

// barrierscope: expect bins = histogram(keys)
__global__ void histogram(const unsigned char* keys, int* bins, int n) {
  __shared__ int local[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();

  int first = blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
  for (int j = 0; j < ITEMS; j++) {
    int k = first + j * blockDim.x;
    if (k < n) atomicAdd(&local[keys[k]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
    int count = local[b];
    if (count > 0) atomicAdd(&bins[b], count);
  }
}

int main() {
  unsigned char text[N];
  int counts[BINS], expected[BINS] = {};
  for (int i = 0; i < N; i++) {
    text[i] = i * i % BINS;
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
