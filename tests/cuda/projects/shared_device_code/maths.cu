#include "maths.cuh"

__constant__ int offsets[4];
__device__ int calls;
// main.cu has one of the same name
static __device__ int helper(int value) { return value + offsets[value % 4]; }

__device__ int with_offset(int value) {
  atomicAdd(&calls, 1);
  return twice(helper(value));
}

__global__ void unused(int* a) { a[0] = helper(1); }

void set_offsets(const int* values) { cudaMemcpyToSymbol(offsets, values, 4 * sizeof(int)); }
