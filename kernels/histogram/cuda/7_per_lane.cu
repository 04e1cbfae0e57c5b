// How often each key occurs, at the speed of reading the keys, whatever they are: every lane counts in bins
// of its own. Bin b of lane l is copies[b][l], which lies in bank l, so the lanes of a warp never meet. A
// block takes the next chunk by a ticket that is drawn while the chunk before is counted, so that no
// multiprocessor waits for a slower one. In the end the copies are added, and go to the grid's bins with one
// atomic a bin.
#include <cstdio>

const int N = 5000, BINS = 20, BLOCK = 64,
          LOADS = 2;                   // LOADS: vectors of 16 keys that a thread has on their way
const int CHUNK = 16 * LOADS * BLOCK;  // keys

struct alignas(16) Keys {
  unsigned char key[16];
};

__device__ void count(int (*copies)[32], Keys v) {
  for (int e = 0; e < 16; e++) atomicAdd(&copies[v.key[e]][threadIdx.x % 32], 1);
}

// barrierscope: expect bins = histogram(keys)
__global__ void histogram(const unsigned char* keys, int* bins, int* ticket, int n) {
  __shared__ int copies[BINS][32];
  __shared__ int chunk[2];  // this one and the next
  int i = threadIdx.x, lane = i % 32;
  int vectors = n / 16, chunks = (vectors + LOADS * BLOCK - 1) / (LOADS * BLOCK);
  const Keys* sixteens = (const Keys*)keys;
  if (i == 0) chunk[0] = atomicAdd(ticket, 1);
  for (int c = i; c < 32 * BINS; c += BLOCK) copies[c / 32][c % 32] = 0;
  __syncthreads();

  int mine = chunk[0];
  for (int k = 1; mine < chunks; k++) {
    int first = mine * LOADS * BLOCK + i;
    if (mine < chunks - 1) {
      Keys v[LOADS];
#pragma unroll
      for (int l = 0; l < LOADS; l++) v[l] = sixteens[first + l * BLOCK];  // several on their way at once
      if (i == 0) chunk[k % 2] = atomicAdd(ticket, 1);
#pragma unroll
      for (int l = 0; l < LOADS; l++) count(copies, v[l]);
    } else {  // the last one may be short
      if (i == 0) chunk[k % 2] = atomicAdd(ticket, 1);
      for (int l = first; l < vectors; l += BLOCK) count(copies, sixteens[l]);
    }
    __syncthreads();
    mine = chunk[k % 2];
  }
  if (blockIdx.x == 0)  // the keys that fill no vector
    for (int k = n - 1 - i; k >= 16 * vectors; k -= BLOCK) atomicAdd(&copies[keys[k]][lane], 1);
  __syncthreads();

  for (int b = i; b < BINS; b += BLOCK) {
    int sum = 0;
    for (int c = 0; c < 32; c++) sum += copies[b][(lane + c) % 32];  // each lane begins with another copy
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
  int *bins, *ticket;
  cudaMalloc(&keys, N);
  cudaMalloc(&bins, BINS * sizeof(int));
  cudaMemcpy(keys, text, N, cudaMemcpyHostToDevice);
  cudaMalloc(&ticket, sizeof(int));
  cudaMemset(bins, 0, BINS * sizeof(int));
  cudaMemset(ticket, 0, sizeof(int));

  cudaDeviceProp gpu;
  cudaGetDeviceProperties(&gpu, 0);
  int blocks = (N + CHUNK - 1) / CHUNK, most = 2 * gpu.multiProcessorCount;
  if (blocks > most) blocks = most;
  histogram<<<blocks, BLOCK>>>(keys, bins, ticket, N);

  cudaMemcpy(counts, bins, BINS * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int b = 0; b < BINS; b++) {
    printf("%d: %d\n", b, counts[b]);
    if (counts[b] != expected[b]) wrong++;
  }
  cudaFree(keys);
  cudaFree(bins);
  cudaFree(ticket);
  return wrong ? 1 : 0;
}
