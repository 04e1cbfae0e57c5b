// A warp's 32 addresses are fetched in sectors of 32 bytes, so it matters which cells neighbouring threads
// take. A matrix is doubled along its rows, and tripled down its columns. The x of all points is moved: once
// where each point is a struct, once where all x lie side by side.
#include <cstdio>
#include <vector>

const int ROWS = 32, COLUMNS = 32, POINTS = 64, BLOCK = 32;

struct Point {
  float x, y, z, mass;
};

// Neighbouring threads take neighbouring cells of a row.
__global__ void along_rows(const float* in, float* out, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (column < columns) out[row * columns + column] = 2 * in[row * columns + column];
}

// Neighbouring threads take neighbouring cells of a column: they lie a whole row apart.
__global__ void down_columns(const float* in, float* out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
  if (row < rows) out[row * columns + column] = 3 * in[row * columns + column];
}

__global__ void move_structs(Point* points, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) points[i].x += by;
}

__global__ void move_array(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}

int blocks(int n) { return (n + BLOCK - 1) / BLOCK; }

int main() {
  const int cells = ROWS * COLUMNS;
  std::vector<float> matrix(cells), by_rows(cells), by_columns(cells), xs(POINTS);
  std::vector<Point> points(POINTS);
  for (int i = 0; i < cells; i++) matrix[i] = i % 100;
  for (int i = 0; i < POINTS; i++) points[i] = {xs[i] = i, 0, 0, 1};

  float *in, *out, *x;
  Point* structs;
  cudaMalloc(&in, cells * sizeof(float));
  cudaMalloc(&out, cells * sizeof(float));
  cudaMalloc(&structs, POINTS * sizeof(Point));
  cudaMalloc(&x, POINTS * sizeof(float));
  cudaMemcpy(in, matrix.data(), cells * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(structs, points.data(), POINTS * sizeof(Point), cudaMemcpyHostToDevice);
  cudaMemcpy(x, xs.data(), POINTS * sizeof(float), cudaMemcpyHostToDevice);

  along_rows<<<dim3(blocks(COLUMNS), ROWS), BLOCK>>>(in, out, ROWS, COLUMNS);
  cudaMemcpy(by_rows.data(), out, cells * sizeof(float), cudaMemcpyDeviceToHost);
  down_columns<<<dim3(blocks(ROWS), COLUMNS), BLOCK>>>(in, out, ROWS, COLUMNS);
  cudaMemcpy(by_columns.data(), out, cells * sizeof(float), cudaMemcpyDeviceToHost);
  move_structs<<<blocks(POINTS), BLOCK>>>(structs, 5, POINTS);
  cudaMemcpy(points.data(), structs, POINTS * sizeof(Point), cudaMemcpyDeviceToHost);
  move_array<<<blocks(POINTS), BLOCK>>>(x, 5, POINTS);
  cudaMemcpy(xs.data(), x, POINTS * sizeof(float), cudaMemcpyDeviceToHost);

  int wrong = 0;
  for (int i = 0; i < cells; i++) wrong += by_rows[i] != 2 * matrix[i] || by_columns[i] != 3 * matrix[i];
  for (int i = 0; i < POINTS; i++) wrong += points[i].x != i + 5 || xs[i] != i + 5;
  printf("%d x %d cells and %d points, %d wrong\n", ROWS, COLUMNS, POINTS, wrong);
  cudaFree(in);
  cudaFree(out);
  cudaFree(structs);
  cudaFree(x);
  return wrong ? 1 : 0;
}
