#include <csetjmp>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  static jmp_buf place;
  if (setjmp(place) < 5) longjmp(place, 1);
}
