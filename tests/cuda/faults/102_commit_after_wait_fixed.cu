#include <cuda_pipeline.h>

#include <cstdio>

constexpr int block = 64, tiles = 6;

/// The sum of a column of tiles. While one tile is added, the next one comes.
__global__ void add_tiles(const int* in, int* out) {
  __shared__ int tile[2][block];
  int t = threadIdx.x, sum = 0;
  __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) __pipeline_memcpy_async(&tile[(k + 1) % 2][t], &in[(k + 1) * block + t], sizeof(int));
    __pipeline_commit();
    sum += tile[k % 2][block - 1 - t];
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  int in[tiles * block], out[block], *d_in, *d_out;
  for (int k = 0; k < tiles * block; ++k) in[k] = k % 13;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  add_tiles<<<1, block>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < block; ++t) {
    int sum = 0;
    for (int k = 0; k < tiles; ++k) sum += in[k * block + block - 1 - t];
    wrong += out[t] != sum;
  }
  printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
