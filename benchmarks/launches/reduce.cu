// Barriers in a loop: the host runs each interval between two of them as a loop over the threads.
#include "host_loop.hpp"

constexpr int n = 1 << 21, block = 256;

#ifdef __CUDACC__
__global__ void reduce(float factor, const float* in, float* out) {
  __shared__ float sums[block];
  const int t = threadIdx.x;
  sums[t] = factor * in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
#else
static void reduce(dim3 grid, dim3 of_block, float factor, const float* in, float* out) {
  static float sums[block];
  for (int b = 0; b < int(grid.x); ++b) {
    for (int t = 0; t < int(of_block.x); ++t) sums[t] = factor * in[b * int(of_block.x) + t];
    for (int s = int(of_block.x) / 2; s > 0; s /= 2)
      for (int t = 0; t < int(of_block.x); ++t)
        if (t < s) sums[t] += sums[t + s];
    for (int t = 0; t < int(of_block.x); ++t)
      if (t == 0) out[b] = sums[0];
  }
}
#endif

int main() {
  Array<float> in(n), out(n / block);
  for (int i = 0; i < n; ++i) in.host[i] = float(i % 11);
  in.send();
  for (int k = 0; k < REPEATS; ++k) LAUNCH(reduce, n / block, block, 1.0f + k, in.data, out.data);
  out.fetch();
  print_sum(out.host);
}
