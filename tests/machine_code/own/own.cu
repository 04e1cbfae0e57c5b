#include "own.cuh"

__device__ int square(int x) { return x * x; }

__device__ __noinline__ int halves(int x) {
  int n = 0;
#pragma unroll 1
  while (x > 1) x /= 2, ++n;
  return n;
}

template <typename T, int N>
__global__ void mirror(const T* in, T* out) {
  __shared__ T tile[N];
  const int i = threadIdx.x;
  tile[i] = in[i];
  __syncthreads();
  out[i] = scaled(tile[N - 1 - i]) + square(i);
}

namespace {
__global__ void doubled(int* out) {
  extern __shared__ int sums[];
  sums[threadIdx.x] = halves(out[threadIdx.x]);
  out[threadIdx.x] = 2 * sums[threadIdx.x];
}
}  // namespace

static __global__ void parts(unsigned* out, unsigned n) { out[threadIdx.x] /= n; }

int main() {
  float* f = nullptr;
  int* p = nullptr;
  cudaMalloc(&f, 128 * sizeof *f);
  cudaMalloc(&p, 128 * sizeof *p);
  cudaMemset(f, 0, 128 * sizeof *f);
  cudaMemset(p, 1, 128 * sizeof *p);
  mirror<float, 32><<<1, 32>>>(f, f + 64);
  mirror<int, 64><<<1, 64>>>(p, p + 64);
  doubled<<<1, 64, 64 * sizeof(int)>>>(p);
  parts<<<2, 32>>>((unsigned*)p, 3);
  cudaFree(f);
  cudaFree(p);
  return 0;
}
