// A sparse matrix times a vector. The matrix is in CSR: the values that are not zero, row by row, the column
// of each, and where each row begins. A thread takes a row, or a warp does (WARP_PER_ROW): then its lanes
// take the row's values 32 apart, and add up with shuffles.
#include <cstdio>
#include <vector>

const int ROWS = 40, COLUMNS = 64, BLOCK = 64, WARP = 32;
const bool WARP_PER_ROW = true;

__global__ void row_per_thread(const int* begin, const int* column, const float* value, const float* x,
                               float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; k++) sum += value[k] * x[column[k]];
  y[row] = sum;
}

__global__ void row_per_warp(const int* begin, const int* column, const float* value, const float* x,
                             float* y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
  if (row >= rows) return;  // a whole warp
  float sum = 0;
  for (int k = begin[row] + lane; k < begin[row + 1]; k += WARP) sum += value[k] * x[column[k]];
  for (int distance = WARP / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (lane == 0) y[row] = sum;
}

// Most rows have a few values; every 16th has this many.
const int LONG_ROW = 48;

int main() {
  // All numbers are small and whole, so sums are exact.
  std::vector<int> begins(1, 0), columns;
  std::vector<float> values, vector(COLUMNS), expected(ROWS), result(ROWS);
  for (int c = 0; c < COLUMNS; c++) vector[c] = c % 5;
  for (int row = 0; row < ROWS; row++) {
    int count = row % 16 == 5 ? LONG_ROW : row % 4;
    if (count > COLUMNS) count = COLUMNS;
    for (int k = 0; k < count; k++) {
      int c = ((long long)k * COLUMNS / count + row) % COLUMNS;
      columns.push_back(c);
      values.push_back(1 + (row + k) % 3);
      expected[row] += values.back() * vector[c];
    }
    begins.push_back(columns.size());
  }

  int *begin, *column;
  float *value, *x, *y;
  cudaMalloc(&begin, begins.size() * sizeof(int));
  cudaMalloc(&column, columns.size() * sizeof(int) + 1);  // a matrix may be empty
  cudaMalloc(&value, values.size() * sizeof(float) + 1);
  cudaMalloc(&x, COLUMNS * sizeof(float));
  cudaMalloc(&y, ROWS * sizeof(float));
  cudaMemcpy(begin, begins.data(), begins.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(column, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(value, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(x, vector.data(), COLUMNS * sizeof(float), cudaMemcpyHostToDevice);

  const int warps = BLOCK / WARP;
  if (WARP_PER_ROW)
    row_per_warp<<<(ROWS + warps - 1) / warps, BLOCK>>>(begin, column, value, x, y, ROWS);
  else
    row_per_thread<<<(ROWS + BLOCK - 1) / BLOCK, BLOCK>>>(begin, column, value, x, y, ROWS);

  cudaMemcpy(result.data(), y, ROWS * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < ROWS; row++) wrong += result[row] != expected[row];
  printf("%d x %d with %zu values, %d rows wrong\n", ROWS, COLUMNS, values.size(), wrong);
  cudaFree(begin);
  cudaFree(column);
  cudaFree(value);
  cudaFree(x);
  cudaFree(y);
  return wrong ? 1 : 0;
}
