#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/barrier>

namespace cg = cooperative_groups;
constexpr int block = 64, blocks = 4;

/// Turns each block's numbers round.
__global__ void turn_round(const int* in, int* out) {
  __shared__ int tile[block];
  __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
  auto group = cg::this_thread_block();
  if (group.thread_rank() == 0) init(&loaded, group.size());
  group.sync();
  const int first = blockIdx.x * block;
  cuda::memcpy_async(group, tile, in + first, sizeof(int) * block, loaded);
  group.sync();
  out[first + threadIdx.x] = tile[block - 1 - threadIdx.x];
}

int main() {
  int in[blocks * block], out[blocks * block], *d_in, *d_out;
  for (int k = 0; k < blocks * block; ++k) in[k] = 1 + k % 13;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  turn_round<<<blocks, block>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int k = 0; k < blocks * block; ++k) wrong += out[k] != in[k / block * block + block - 1 - k % block];
  printf("%d wrong\n", wrong);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong != 0;
}
