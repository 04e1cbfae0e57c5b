#include <csignal>
__global__ void fill(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGALRM, SIG_IGN);
  signal(SIGXCPU, SIG_IGN);
  for (;;) {
  }
}
