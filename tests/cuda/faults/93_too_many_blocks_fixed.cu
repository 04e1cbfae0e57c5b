// cupy/cupy#3894, JuliaGPU/CUDAnative.jl#449
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void turn(const int* in, int* half, int* out, int n) {
  int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += step) half[i] = in[i] + 1;
  cg::this_grid().sync();
  for (int i = first; i < n; i += step) out[i] = half[n - 1 - i];
}

int main() {
  int n = 4096 * 8, block = 1024, wrong = 0, *d_in, *d_half, *d_out;
  std::vector<int> in(n, 1), out(n);
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_half, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  void* args[] = {&d_in, &d_half, &d_out, &n};
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, turn, block, 0);
  cudaLaunchCooperativeKernel((void*)turn, blocks, block, args);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != 2;
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
