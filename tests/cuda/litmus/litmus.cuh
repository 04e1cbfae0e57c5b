// What the litmus tests share: two to four threads, of one block or of several, and accesses of an order and
// a scope.
#pragma once
#include <cuda/atomic>

constexpr auto relaxed = cuda::memory_order_relaxed, acquire = cuda::memory_order_acquire,
               release = cuda::memory_order_release, acq_rel = cuda::memory_order_acq_rel,
               seq_cst = cuda::memory_order_seq_cst;
constexpr auto of_thread = cuda::thread_scope_thread, of_block = cuda::thread_scope_block,
               of_device = cuda::thread_scope_device, of_system = cuda::thread_scope_system;

template <cuda::thread_scope S>
using atomic_in = cuda::atomic_ref<int, S>;

/// 0 to `count` - 1: the first threads of the warps, as many in each block as the blocks need. -1: the
/// others.
__device__ int thread_of_test(int count = 2) {
  const int in_block = (count + gridDim.x - 1) / gridDim.x, warp = threadIdx.x / 32;
  const int number = blockIdx.x * in_block + warp;
  return threadIdx.x % 32 == 0 && warp < in_block && number < count ? number : -1;
}

/// Launches each kernel in one block, in two, and with each thread in a block of its own, each time on cells
/// of its own that are 0.
class Cells {
 public:
  Cells() { cudaMallocManaged(&cells_, launches * size * sizeof(int)); }
  template <class Kernel>
  void launch(Kernel kernel, int threads = 2) {
    in_blocks(kernel, threads, 1);
    in_blocks(kernel, threads, 2);
    if (threads > 2) in_blocks(kernel, threads, threads);
  }

 private:
  static constexpr int launches = 120, size = 8;
  template <class Kernel>
  void in_blocks(Kernel kernel, int threads, int blocks) {
    kernel<<<blocks, 32 * ((threads + blocks - 1) / blocks)>>>(cells_ + launch_++ * size);
  }
  int *cells_ = nullptr, launch_ = 0;
};
