#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
constexpr int block = 64, tiles = 6;

/// The sum of a column of tiles, in two stages.
__global__ void add_tiles(const int* in, int* out) {
  __shared__ int tile[2][block];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto group = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(group, &state);
  int sum = 0, fetched = 0;
  for (int k = 0; k < tiles; ++k) {
    for (; fetched < tiles && fetched < k + 2; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(group, tile[fetched % 2], in + fetched * block, sizeof(int) * block, pipe);
      pipe.producer_commit();
    }
    __syncthreads();
    sum += tile[k % 2][block - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
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
