#include <atomic>
#include <thread>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  std::atomic<bool> is_ready{false};
  std::thread t([&] {
    while (!is_ready) {
    }
  });
  is_ready = true;
  t.join();
}
