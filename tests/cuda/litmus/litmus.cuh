// What the litmus tests share: two threads, of one block or of two, and accesses of an order and a scope.
#pragma once
#include <cuda/atomic>

constexpr auto relaxed = cuda::memory_order_relaxed, acquire = cuda::memory_order_acquire,
               release = cuda::memory_order_release, acq_rel = cuda::memory_order_acq_rel,
               seq_cst = cuda::memory_order_seq_cst;
constexpr auto of_block = cuda::thread_scope_block, of_device = cuda::thread_scope_device,
               of_system = cuda::thread_scope_system;

template <cuda::thread_scope S>
using atomic_in = cuda::atomic_ref<int, S>;

/// 0 and 1: the first thread of each of two blocks, or of each warp of the only block. -1: the others.
__device__ int thread_of_test() {
  if (gridDim.x == 2) return threadIdx.x == 0 ? int(blockIdx.x) : -1;
  return threadIdx.x % 32 == 0 ? int(threadIdx.x / 32) : -1;
}

/// Launches each kernel twice, in one block and in two, each time on cells of its own that are 0.
class Cells {
 public:
  Cells() { cudaMallocManaged(&cells_, launches * size * sizeof(int)); }
  template <class Kernel>
  void launch(Kernel kernel) {
    for (int blocks = 1; blocks <= 2; ++blocks, ++launch_)
      kernel<<<blocks, 64 / blocks>>>(cells_ + launch_ * size);
  }

 private:
  static constexpr int launches = 120, size = 4;
  int* cells_ = nullptr;
  int launch_ = 0;
};
