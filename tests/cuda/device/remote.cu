// Kernels for tests/cuda/machine_server_test.cpp.
#include "prelude.cuh"

__constant__ int offsets[4] = {1, 2, 3, 4};
__device__ int total;

__global__ void adds(int* data, int n) {
  __shared__ int sum[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[threadIdx.x % 8] = i < n ? data[i] : 0;
  __bscope_sync();
  if (i < n) data[i] = sum[(threadIdx.x + 1) % 8] + offsets[i % 4];
}

__global__ void says(int x) {
  if (threadIdx.x == 0) printf("x is %d\n", x);
}

struct Given {
  int* to;
  int values[3];
};
__global__ void takes(Given g) {
  if (threadIdx.x < 3) g.to[threadIdx.x] = g.values[threadIdx.x];
  __bscope_atomic_add_i32(&total, g.values[0]);
}
