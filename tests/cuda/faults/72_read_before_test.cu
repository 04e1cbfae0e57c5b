// cupy/cupy#10170
#include <cstdio>

// The first column of each row of a sparse matrix that holds nothing.
__global__ void first_gap(const int* begin, const int* columns, int* gap, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int k = 0;
  while (columns[begin[row] + k] == k && begin[row] + k < begin[row + 1]) ++k;
  gap[row] = k;
}

int main() {
  const int rows = 4, values = 12;
  int begin[rows + 1] = {0, 2, 5, 9, 12}, columns[values] = {0, 1, 0, 1, 3, 0, 1, 2, 3, 0, 1, 2};
  int gap[rows], want[rows] = {2, 2, 4, 3}, *d_begin, *d_columns, *d_gap, wrong = 0;
  cudaMalloc(&d_begin, sizeof begin);
  cudaMalloc(&d_columns, sizeof columns);
  cudaMalloc(&d_gap, sizeof gap);
  cudaMemcpy(d_begin, begin, sizeof begin, cudaMemcpyHostToDevice);
  cudaMemcpy(d_columns, columns, sizeof columns, cudaMemcpyHostToDevice);
  first_gap<<<1, 32>>>(d_begin, d_columns, d_gap, rows);
  cudaMemcpy(gap, d_gap, sizeof gap, cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) wrong += gap[r] != want[r];
  printf("%d rows are wrong\n", wrong);
  return wrong != 0;
}
