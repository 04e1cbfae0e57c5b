// One access pattern: every thread reads and writes its own cell.
#include "host_loop.hpp"

constexpr int n = 1 << 22, block = 256;

__global__ void saxpy(int count, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = a * x[i] + y[i];
}

int main() {
  Array<float> x(n), y(n);
  for (int i = 0; i < n; ++i) x.host[i] = float(i % 97), y.host[i] = 1;
  x.send(), y.send();
  for (int k = 0; k < REPEATS; ++k)
    LAUNCH(saxpy, (n + block - 1) / block, block, n, 0.5f + k, x.data, y.data);
  y.fetch();
  print_sum(y.host);
}
