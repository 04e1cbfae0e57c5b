// How often each key occurs: several copies of the bins in each block, added up in the end. One copy a warp:
// only the lanes of one warp meet. One copy a lane, for all warps of the block: lane l's bin b is word 32 b +
// l, in bank l, so two lanes of a warp meet neither in a bin nor in a bank. A thread loads WIDTH keys at
// once.
#include <cstdio>

const int N = 400, BINS = 20, BLOCK = 64, BLOCKS = 3;  // at most so many blocks
const int PER_LANE = 1, WIDTH = 4;                     // PER_LANE 0: a copy a warp; WIDTH: 1, 4 or 16
const int COPIES = PER_LANE ? 32 : (BLOCK + 31) / 32;
const int OF_BIN = PER_LANE ? 32 : 1, OF_COPY = PER_LANE ? 1 : BINS;  // cells from one to the next

struct alignas(WIDTH) Keys {
  unsigned char key[WIDTH];
};

// barrierscope: expect bins = histogram(keys)
__global__ void histogram(const unsigned char* keys, int* bins, int n) {
  __shared__ int local[COPIES * BINS];
  int i = threadIdx.x, me = blockIdx.x * blockDim.x + i, threads = gridDim.x * blockDim.x;
  int mine = (PER_LANE ? i % 32 : i / 32) * OF_COPY;  // where this thread's copy begins
  for (int c = i; c < COPIES * BINS; c += blockDim.x) local[c] = 0;
  __syncthreads();

  const Keys* wide = (const Keys*)keys;
  for (int k = me; k < n / WIDTH; k += threads) {
    Keys v = wide[k];
    for (int e = 0; e < WIDTH; e++) atomicAdd(&local[v.key[e] * OF_BIN + mine], 1);
  }
  for (int k = n / WIDTH * WIDTH + me; k < n; k += threads)  // the rest
    atomicAdd(&local[keys[k] * OF_BIN + mine], 1);
  __syncthreads();

  for (int b = i; b < BINS; b += blockDim.x) {
    int sum = 0;
    for (int c = 0; c < COPIES; c++) {
      int copy = (i + c) % COPIES;  // each lane begins with another: else all would ask one bank
      sum += local[b * OF_BIN + copy * OF_COPY];
    }
    if (sum > 0) atomicAdd(&bins[b], sum);
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

  int blocks = (N + BLOCK * WIDTH - 1) / (BLOCK * WIDTH);
  if (blocks > BLOCKS) blocks = BLOCKS;
  histogram<<<blocks, BLOCK>>>(keys, bins, N);

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
