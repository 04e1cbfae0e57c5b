#include <list>
#include <string>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  std::list<std::string> all;
  for (;;) all.push_back(std::string(100, 'x'));
}
