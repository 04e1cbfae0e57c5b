// Arithmetic alone, of different length in each thread.
#include "host_loop.hpp"

constexpr int n = 1 << 17, block = 256;

__global__ void collatz(unsigned first, unsigned* steps) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long v = first + i;
  unsigned count = 0;
  for (; v > 1; ++count) v = v % 2 ? 3 * v + 1 : v / 2;
  steps[i] = count;
}

int main() {
  Array<unsigned> steps(n);
  for (int k = 0; k < REPEATS; ++k) LAUNCH(collatz, n / block, block, 1 + k, steps.data);
  steps.fetch();
  print_sum(steps.host);
}
