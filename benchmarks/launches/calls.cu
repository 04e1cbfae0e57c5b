// Functions that are not inlined: every thread calls one in a loop, and that one another.
#include "host_loop.hpp"

constexpr int n = 1 << 18, block = 256, terms = 16;

#ifdef __CUDACC__
#define FUNCTION __device__ __noinline__
#else
#define FUNCTION __attribute__((noinline)) static
#endif

FUNCTION float term(float x, int k) { return x / float(k + 1) + float(k & 3); }

FUNCTION float series(float x, int count) {
  float sum = 0;
  for (int k = 0; k < count; ++k) sum = sum * 0.5f + term(x, k);
  return sum;
}

__global__ void evaluate(int count, float scale, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = series(x[i] * scale, terms);
}

int main() {
  Array<float> x(n), y(n);
  for (int i = 0; i < n; ++i) x.host[i] = float(i % 101);
  x.send();
  for (int k = 0; k < REPEATS; ++k) LAUNCH(evaluate, n / block, block, n, 0.25f + k, x.data, y.data);
  y.fetch();
  print_sum(y.host);
}
