// How often each key occurs, ITEMS keys a thread: a block clears its bins and adds them to the grid's only
// once for all of them. Lanes that read neighbours coalesce: a thread's keys lie a block or a grid apart, not
// in a row.
#include <cstdio>

enum { CONTIGUOUS, BLOCK_STRIDED, GRID_STRIDED };  // which keys a thread takes
const int N = 400, BINS = 20, BLOCK = 64, ITEMS = 4, ACCESS = BLOCK_STRIDED;
const int BLOCKS = (N + BLOCK * ITEMS - 1) / (BLOCK * ITEMS);

// barrierscope: expect bins = histogram(keys)
__global__ void histogram(const unsigned char* keys, int* bins, int n) {
  __shared__ int local[BINS];
  int i = threadIdx.x, me = blockIdx.x * blockDim.x + i;
  for (int b = i; b < BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();

  int k = blockIdx.x * blockDim.x * ITEMS + i, stride = blockDim.x;
  if (ACCESS == CONTIGUOUS) {
    k = me * ITEMS;
    stride = 1;
  } else if (ACCESS == GRID_STRIDED) {
    k = me;
    stride = gridDim.x * blockDim.x;
  }
  for (int j = 0; j < ITEMS && k < n; j++) {
    atomicAdd(&local[keys[k]], 1);
    k += stride;
  }
  __syncthreads();

  for (int b = i; b < BINS; b += blockDim.x) {
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
