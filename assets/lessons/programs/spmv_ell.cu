// A sparse matrix times a vector. The matrix is in ELL: every row has as many places as the longest row has
// values, and the places of all rows lie together, first all first ones, then all second ones. Threads of
// neighbouring rows then read neighbouring cells. A place without a value has the column -1.
#include <algorithm>
#include <cstdio>
#include <vector>

const int ROWS = 40, COLUMNS = 64, BLOCK = 64, LONG_ROW = 48;

__global__ void row_per_thread(const int* column, const float* value, const float* x, float* y, int rows,
                               int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < width; k++) {
    int c = column[k * rows + row];
    if (c >= 0) sum += value[k * rows + row] * x[c];
  }
  y[row] = sum;
}

int values_in(int row) { return std::min(row % 16 == 5 ? LONG_ROW : row % 4, COLUMNS); }

int main() {
  // The matrix of spmv.cu. All numbers are small and whole, so sums are exact.
  int width = 0;
  for (int row = 0; row < ROWS; row++) width = std::max(width, values_in(row));
  std::vector<int> columns(ROWS * width, -1);
  std::vector<float> values(ROWS * width), vector(COLUMNS), expected(ROWS), result(ROWS);
  for (int c = 0; c < COLUMNS; c++) vector[c] = c % 5;
  for (int row = 0; row < ROWS; row++) {
    int count = values_in(row);
    for (int k = 0; k < count; k++) {
      int c = ((long long)k * COLUMNS / count + row) % COLUMNS;
      columns[k * ROWS + row] = c;
      values[k * ROWS + row] = 1 + (row + k) % 3;
      expected[row] += values[k * ROWS + row] * vector[c];
    }
  }

  int* column;
  float *value, *x, *y;
  cudaMalloc(&column, columns.size() * sizeof(int) + 1);  // a matrix may be empty
  cudaMalloc(&value, values.size() * sizeof(float) + 1);
  cudaMalloc(&x, COLUMNS * sizeof(float));
  cudaMalloc(&y, ROWS * sizeof(float));
  cudaMemcpy(column, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(value, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(x, vector.data(), COLUMNS * sizeof(float), cudaMemcpyHostToDevice);

  row_per_thread<<<(ROWS + BLOCK - 1) / BLOCK, BLOCK>>>(column, value, x, y, ROWS, width);

  cudaMemcpy(result.data(), y, ROWS * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < ROWS; row++) wrong += result[row] != expected[row];
  printf("%d x %d in %d places for each row, %d rows wrong\n", ROWS, COLUMNS, width, wrong);
  cudaFree(column);
  cudaFree(value);
  cudaFree(x);
  cudaFree(y);
  return wrong ? 1 : 0;
}
