// The same program twice: as CUDA, and as plain host code in which a launch is a loop over blocks and
// threads.
#pragma once

#include <cstdio>
#include <vector>

#ifdef __CUDACC__
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)

template <class T>
struct Array {
  explicit Array(int n) : host(n) { cudaMalloc(&data, n * sizeof(T)); }
  void send() { cudaMemcpy(data, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
  void fetch() { cudaMemcpy(host.data(), data, host.size() * sizeof(T), cudaMemcpyDeviceToHost); }
  std::vector<T> host;
  T* data;
};
#else
#define __global__ static inline
struct dim3 {
  dim3(unsigned x = 1, unsigned y = 1) : x(x), y(y) {}
  unsigned x, y;
};
static dim3 gridDim, blockDim, blockIdx, threadIdx;

template <class... Given, class... Taken>
static inline void loop(void (*kernel)(Taken...), dim3 grid, dim3 block, Given... arguments) {
  gridDim = grid, blockDim = block;
  for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
    for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x)
      for (threadIdx.y = 0; threadIdx.y < block.y; ++threadIdx.y)
        for (threadIdx.x = 0; threadIdx.x < block.x; ++threadIdx.x) kernel(arguments...);
}
/// A kernel with barriers is a function that has the loops itself.
template <class... Given, class... Taken>
static inline void loop(void (*kernel)(dim3, dim3, Taken...), dim3 grid, dim3 block, Given... arguments) {
  kernel(grid, block, arguments...);
}
#define LAUNCH(kernel, grid, block, ...) loop(kernel, grid, block, __VA_ARGS__)

template <class T>
struct Array {
  explicit Array(int n) : host(n), data(host.data()) {}
  void send() {}
  void fetch() {}
  std::vector<T> host;
  T* data;
};
#endif

template <class T>
void print_sum(const std::vector<T>& all) {
  double sum = 0;
  for (const T v : all) sum += double(v);
  std::printf("%.17g\n", sum);
}
