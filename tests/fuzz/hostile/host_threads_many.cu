#include <thread>
#include <vector>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  std::vector<std::thread> all;
  for (int i = 0; i < 1000000; i++) all.emplace_back([] {});
  for (auto& t : all) t.join();
}
