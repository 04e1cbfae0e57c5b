// Transposes a matrix in tiles: its rows become columns.
// A tile is read by columns.
#include <cstdio>

const int TILE = 16, ROWS = 32, COLUMNS = 48;

__global__ void turn(const int* in, int* out, int rows, int columns) {
  __shared__ int tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  if (x < rows && y < columns) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  int matrix[ROWS * COLUMNS], turned[ROWS * COLUMNS], wrong = 0, *in, *out;
  for (int i = 0; i < ROWS * COLUMNS; i++) matrix[i] = i;

  cudaMalloc(&in, sizeof matrix);
  cudaMalloc(&out, sizeof turned);
  cudaMemcpy(in, matrix, sizeof matrix, cudaMemcpyHostToDevice);
  dim3 tiles((COLUMNS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE);
  turn<<<tiles, dim3(TILE, TILE)>>>(in, out, ROWS, COLUMNS);
  cudaMemcpy(turned, out, sizeof turned, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);

  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < COLUMNS; x++) wrong += turned[x * ROWS + y] != matrix[y * COLUMNS + x];
  printf("%d of %d elements are wrong\n", wrong, ROWS * COLUMNS);
  return wrong ? 1 : 0;
}
