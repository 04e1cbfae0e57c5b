// A loop in each thread, whose loads have two different strides.
#include "host_loop.hpp"

constexpr int n = 256, side = 16;

__global__ void matmul(float factor, const float* a, const float* b, float* c) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = factor * sum;
}

int main() {
  Array<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a.host[i] = float(i % 7), b.host[i] = float(i % 5);
  a.send(), b.send();
  for (int k = 0; k < REPEATS; ++k)
    LAUNCH(matmul, dim3(n / side, n / side), dim3(side, side), 1.0f + k, a.data, b.data, c.data);
  c.fetch();
  print_sum(c.host);
}
