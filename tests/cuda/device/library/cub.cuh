// A library of CUB's form, for tests/cuda/library_test.cpp: classes whose functions threads call together.
#pragma once
#define INLINE __device__ inline __attribute__((always_inline))

namespace cub {

template <int threads>
class BlockSum {
 public:
  struct TempStorage {
    int cells[threads];
  };
  INLINE explicit BlockSum(TempStorage& storage) : storage_(storage) {}
  INLINE int Sum(int x) {
    storage_.cells[threadIdx.x] = x;
    __bscope_sync();
    int sum = 0;
    for (int k = 0; k < threads; ++k) sum += storage_.cells[k];
    return sum;
  }
  /// Its threads race for a cell, and it reads one that nothing was stored in.
  INLINE int Careless(int x) {
    storage_.cells[0] = x;
    __bscope_sync();
    return storage_.cells[1];
  }
  /// Begins and ends with a barrier, so that nothing of two calls can meet.
  __device__ int Careful(int x) {
    __bscope_sync();
    const int sum = Sum(x);
    __bscope_sync();
    return sum;
  }

 private:
  TempStorage& storage_;
};

class WarpExchange {
 public:
  struct TempStorage {
    int cells[32];
  };
  INLINE explicit WarpExchange(TempStorage& storage) : storage_(storage) {}
  INLINE int Reverse(int x) {
    storage_.cells[threadIdx.x % 32] = x;
    __bscope_sync_warp(0xffffffff);
    return storage_.cells[31 - threadIdx.x % 32];
  }

 private:
  TempStorage& storage_;
};

}  // namespace cub

__global__ void DeviceFillKernel(int* out, int n, int value) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n) out[k] = value + k;
}
