// Ways that the data choose: threads of a warp decide differently, several times.
#include "host_loop.hpp"

constexpr int n = 1 << 20, block = 256;

__global__ void classify(int count, int threshold, const int* values, int* classes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int v = values[i];
  for (int round = 0; round < 8; ++round) {
    if (v % 3 == 0)
      v = v / 3 + round;
    else if (v > threshold)
      v -= threshold;
    else if (v & 1)
      v = 3 * v + 1;
    else
      v += 7;
  }
  classes[i] = v & 255;
}

int main() {
  Array<int> values(n), classes(n);
  unsigned random = 1;
  for (int i = 0; i < n; ++i) {
    random = random * 1664525u + 1013904223u;
    values.host[i] = int(random >> 12);
  }
  values.send();
  for (int k = 0; k < REPEATS; ++k)
    LAUNCH(classify, n / block, block, n, 1000 + k, values.data, classes.data);
  classes.fetch();
  print_sum(classes.host);
}
