// A matrix is transposed through a tile in shared memory, so that both sides of it go to memory row by row.
#include <cstdio>

const int ROWS = 32, COLUMNS = 64, TILE = 32;

__global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];  // one cell more: a column goes through all banks
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += blockDim.y)
    if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  __syncthreads();

  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += blockDim.y)
    if (x < rows && y + j < columns) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  static float matrix[ROWS * COLUMNS], result[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++) matrix[i] = i;

  float *in, *out;
  cudaMalloc(&in, sizeof matrix);
  cudaMalloc(&out, sizeof matrix);
  cudaMemcpy(in, matrix, sizeof matrix, cudaMemcpyHostToDevice);

  dim3 block(TILE, 8), grid((COLUMNS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE);
  transpose<<<grid, block>>>(in, out, ROWS, COLUMNS);

  cudaMemcpy(result, out, sizeof matrix, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++) wrong += result[c * ROWS + r] != matrix[r * COLUMNS + c];
  printf("%d x %d transposed, %d wrong\n", ROWS, COLUMNS, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong ? 1 : 0;
}
