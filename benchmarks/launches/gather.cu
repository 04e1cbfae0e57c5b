// Addresses that the data choose: every thread reads a row of a sparse matrix, and cells of a vector by its
// columns.
#include "host_loop.hpp"

constexpr int rows = 1 << 18, block = 256, most = 16;

__global__ void multiply(int count, float scale, const int* begin, const int* column, const float* value,
                         const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= count) return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = scale * sum;
}

int main() {
  Array<int> begin(rows + 1), column(rows * most);
  Array<float> value(rows * most), x(rows), y(rows);
  unsigned random = 1;
  int at = 0;
  for (int row = 0; row < rows; ++row) {
    begin.host[row] = at;
    for (int k = 0; k < row % most; ++k, ++at) {
      random = random * 1664525u + 1013904223u;
      column.host[at] = int(random >> 8) % rows;
      value.host[at] = float(row % 5 + 1);
    }
    x.host[row] = float(row % 7);
  }
  begin.host[rows] = at;
  begin.send(), column.send(), value.send(), x.send();
  for (int k = 0; k < REPEATS; ++k)
    LAUNCH(multiply, rows / block, block, rows, 1.0f + k, begin.data, column.data, value.data, x.data,
           y.data);
  y.fetch();
  print_sum(y.host);
}
