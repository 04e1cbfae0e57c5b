// Loops that are interpreted, for the kernel may recur: KIND 0 computes, 1 gathers from global memory, 2
// meets at barriers.
#include <cstdio>

constexpr int threads = 64, cells = 1024;

__device__ int recurs(int n) { return n < 2 ? n : recurs(n - 1) + recurs(n - 2); }

__global__ void turn(unsigned* a, int turns, int launch) {
#if KIND == 2
  __shared__ unsigned s[threads];
#endif
  unsigned x = threadIdx.x + launch;
  if (turns < 0) x += recurs(turns + 50);
  for (int i = 0; i < turns; ++i) {
#if KIND == 0
    x = x * 1664525u + 1013904223u;
#elif KIND == 1
    x += a[threads + ((x + i) & (cells - 1))];
#else
    s[threadIdx.x] = x;
    __syncthreads();
    x += s[threads - 1 - threadIdx.x];
    __syncthreads();
#endif
  }
  a[threadIdx.x] = x;
}

int main() {
  unsigned *a, first;
  cudaMalloc(&a, sizeof(unsigned) * (threads + cells));
  cudaMemset(a, 0, sizeof(unsigned) * (threads + cells));
  for (int k = 0; k < REPEATS; ++k) turn<<<1, threads>>>(a, TURNS, k);
  cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%u\n", first);
  cudaFree(a);
}
