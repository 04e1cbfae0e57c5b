#include <cstdio>
__global__ void scale(int* a) { a[threadIdx.x] *= 3; }
int main() {
  int* a;  // THREADS is the Makefile's
  cudaMallocManaged(&a, THREADS * sizeof(int));
  for (int i = 0; i < THREADS; ++i) a[i] = i;
  scale<<<1, THREADS>>>(a);
  cudaDeviceSynchronize();
  printf("last %d\n", a[THREADS - 1]);
  return 0;
}
