#include <cstdio>
#ifndef THREADS
#define THREADS 16
#endif
__global__ void add(int* a) { a[threadIdx.x] += threadIdx.x; }
int main() {
  int* a;
  cudaMallocManaged(&a, THREADS * sizeof(int));
  for (int i = 0; i < THREADS; ++i) a[i] = 1;
  add<<<1, THREADS>>>(a);
  cudaDeviceSynchronize();
  printf("%d threads, last %d\n", THREADS, a[THREADS - 1]);
  return 0;
}
