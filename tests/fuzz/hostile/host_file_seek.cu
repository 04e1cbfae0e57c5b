#include <cstdio>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  FILE* f = fopen("big", "w");
  fseek(f, 0x7fffffffffff, SEEK_SET);
  fputc(1, f);
  return fclose(f);
}
