// How often each key occurs: a copy of the bins for each warp, added up in the end. Only lanes of one warp
// meet.
#include <cstdio>

const int N = 400, BINS = 20, BLOCK = 64, COPIES = BLOCK / 32, BLOCKS = 3;

// barrierscope: expect bins = histogram(keys)
__global__ void histogram(const unsigned char* keys, int* bins, int n) {
  __shared__ int local[COPIES * BINS];
  int i = threadIdx.x;
  int mine = i / 32 * BINS;  // where this warp's copy begins
  for (int c = i; c < COPIES * BINS; c += blockDim.x) local[c] = 0;
  __syncthreads();

  for (int k = blockIdx.x * blockDim.x + i; k < n; k += gridDim.x * blockDim.x)
    atomicAdd(&local[keys[k] + mine], 1);
  __syncthreads();

  for (int b = i; b < BINS; b += blockDim.x) {
    int sum = 0;
    for (int c = 0; c < COPIES; c++) sum += local[(i + c) % COPIES * BINS + b];
    if (sum > 0) atomicAdd(&bins[b], sum);
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
