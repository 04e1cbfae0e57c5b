// Kernels for tests/cuda/library_test.cpp. LINE comments name lines that tests ask for.
// clang-format off
#include "prelude.cuh"
#include "library/cub.cuh"  // needs the prelude
// clang-format on

using Sum = cub::BlockSum<64>;

__global__ void sum_once(const int* in, int* out) {
  __shared__ Sum::TempStorage storage;
  int sum = Sum(storage).Sum(in[threadIdx.x]);  // LINE sum
  if (threadIdx.x == 0) out[0] = sum;           // LINE result
}

__global__ void careless(const int* in, int* out) {
  __shared__ Sum::TempStorage storage;
  out[threadIdx.x] = Sum(storage).Careless(in[threadIdx.x]);
}

__global__ void beside_own_code(const int* in, int* out) {
  __shared__ Sum::TempStorage storage;
  int sum = Sum(storage).Sum(in[threadIdx.x]);
  storage.cells[63 - threadIdx.x] = sum;  // LINE own store
  out[threadIdx.x] = sum;
}

__global__ void again(const int* in, int* out) {
  __shared__ Sum::TempStorage storage;
  int one = Sum(storage).Sum(in[threadIdx.x]);  // LINE first
  int two = Sum(storage).Sum(one + 1);          // LINE second
  out[threadIdx.x] = two;
}

__global__ void again_with_barrier(const int* in, int* out) {
  __shared__ Sum::TempStorage storage;
  int one = Sum(storage).Sum(in[threadIdx.x]);
  __bscope_sync();  // LINE between
  int two = Sum(storage).Sum(one + 1);
  out[threadIdx.x] = two;
}

__global__ void careful_rounds(const int* in, int* out) {
  __shared__ Sum::TempStorage storage;
  int x = in[threadIdx.x];
  for (int k = 0; k < 3; ++k) x = Sum(storage).Careful(x);  // LINE round
  out[threadIdx.x] = x;
}

__global__ void one_for_two_warps(const int* in, int* out) {
  __shared__ cub::WarpExchange::TempStorage storage;
  out[threadIdx.x] = cub::WarpExchange(storage).Reverse(in[threadIdx.x]);  // LINE exchange
}

__global__ void one_for_each_warp(const int* in, int* out) {
  __shared__ cub::WarpExchange::TempStorage storage[2];
  out[threadIdx.x] = cub::WarpExchange(storage[threadIdx.x / 32]).Reverse(in[threadIdx.x]);
}
