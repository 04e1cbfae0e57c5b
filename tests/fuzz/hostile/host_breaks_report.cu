#include <cstdio>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  for (const char* name : {"/barrierscope/run/report.json", "/barrierscope/run/trace.bscope", "report.json"}) {
    FILE* f = fopen(name, "w");
    if (f) fputs("{\"launches\": [1, 2", f);
    if (f) fclose(f);
  }
}
