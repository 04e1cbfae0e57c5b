// A matrix is transposed. Straight (TILED = false): its reads go along rows, its writes down columns, a
// sector each. Through a tile in shared memory: both go along rows. With an unused column in the tile
// (PADDING = 1) the cells of a column lie in different banks.
// barrierscope: expect out = transpose(in, ROWS, COLUMNS)
#include <cstdio>
#include <vector>

const int ROWS = 32, COLUMNS = 64, TILE = 32, HEIGHT = 8, PADDING = 1;
const bool TILED = true;

__global__ void straight(const float* in, float* out, int rows, int columns) {
  int column = blockIdx.x * TILE + threadIdx.x;
  for (int j = threadIdx.y; j < TILE; j += HEIGHT) {
    int row = blockIdx.y * TILE + j;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
  }
}

__global__ void tiled(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + PADDING];
  int top = blockIdx.y * TILE, left = blockIdx.x * TILE, x = threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += HEIGHT)
    if (top + y < rows && left + x < columns) tile[y][x] = in[(top + y) * columns + left + x];
  __syncthreads();
  for (int y = threadIdx.y; y < TILE; y += HEIGHT)
    if (left + y < columns && top + x < rows) out[(left + y) * rows + top + x] = tile[x][y];
}

int main() {
  const int cells = ROWS * COLUMNS;
  std::vector<float> matrix(cells), result(cells);
  for (int i = 0; i < cells; i++) matrix[i] = i;

  float *in, *out;
  cudaMalloc(&in, cells * sizeof(float));
  cudaMalloc(&out, cells * sizeof(float));
  cudaMemcpy(in, matrix.data(), cells * sizeof(float), cudaMemcpyHostToDevice);

  dim3 block(TILE, HEIGHT), grid((COLUMNS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE);
  if (TILED)
    tiled<<<grid, block>>>(in, out, ROWS, COLUMNS);
  else
    straight<<<grid, block>>>(in, out, ROWS, COLUMNS);

  cudaMemcpy(result.data(), out, cells * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++) wrong += result[c * ROWS + r] != matrix[r * COLUMNS + c];
  printf("%d x %d transposed, %d wrong\n", ROWS, COLUMNS, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong ? 1 : 0;
}
