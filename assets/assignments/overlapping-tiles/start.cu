// A histogram with a mistake: several keys a thread, and a loop that ends one key too late. The next
// tile's first key counts twice.
#include <cstdio>

const int N = 400, BINS = 20, BLOCK = 64, ITEMS = 4, BLOCKS = (N + BLOCK * ITEMS - 1) / (BLOCK * ITEMS);

// barrierscope: expect bins = histogram(keys)
__global__ void histogram(const unsigned char* keys, int* bins, int n) {
  int tile = ITEMS * blockDim.x;
  int first = blockIdx.x * tile, last = first + tile;
  for (int k = first + threadIdx.x; k <= last && k < n; k += blockDim.x) atomicAdd(&bins[keys[k]], 1);
}

int main() {
  unsigned char text[N];
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
