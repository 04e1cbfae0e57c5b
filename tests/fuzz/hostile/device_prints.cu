#include <cstdio>
__global__ void k(int* p) {
  for (;;) printf("%d %s\n", threadIdx.x, "x");
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
