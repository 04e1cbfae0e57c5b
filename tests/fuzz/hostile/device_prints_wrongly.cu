#include <cstdio>
__global__ void k(int* p) {
  printf("%s %n %ld %*d %5$d %", 5, p, 1.0);
  printf((const char*)p);
}
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
