// A file with kernels whose name does not say so: nvcc -x cu main.cpp
#include <cstdio>
#include "kernels.hpp"

__global__ void negate(int* a) { a[threadIdx.x] = -a[threadIdx.x]; }

int main() {
  int* a;
  cudaMallocManaged(&a, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) a[i] = i;
  negate<<<1, 32>>>(a);
  square(a, 32);
  cudaDeviceSynchronize();
  printf("last %d\n", a[31]);
  cudaFree(a);
  return 0;
}
