// A matrix is copied, one thread a cell.
#include <cstdio>
#include <vector>

const int ROWS = 32, COLUMNS = 64, BLOCK = 64, CELLS = ROWS * COLUMNS;

__global__ void copy(const float* in, float* out, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / columns, column = i % columns;  // neighbouring threads: neighbouring cells of a row
  if (i < rows * columns) out[row * columns + column] = in[row * columns + column];
}

int main() {
  std::vector<float> matrix(CELLS), result(CELLS);
  for (int i = 0; i < CELLS; i++) matrix[i] = i;

  float *in, *out;
  cudaMalloc(&in, CELLS * sizeof(float));
  cudaMalloc(&out, CELLS * sizeof(float));
  cudaMemcpy(in, matrix.data(), CELLS * sizeof(float), cudaMemcpyHostToDevice);

  copy<<<(CELLS + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, ROWS, COLUMNS);

  cudaMemcpy(result.data(), out, CELLS * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%d x %d cells: %s\n", ROWS, COLUMNS, result == matrix ? "right" : "wrong");
  cudaFree(in);
  cudaFree(out);
  return result == matrix ? 0 : 1;
}
