#include <cstring>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  for (long a = 65536; a < (1L << 32); a += 65536) memset((void*)a, 0xff, 65536);
}
