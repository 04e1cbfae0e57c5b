// ml-explore/mlx#2267, ggml-org/llama.cpp#13384
#include <cstdio>
#include <vector>

__global__ void row_number(int* out, int rows) {
  int row = blockIdx.x;
  if (row < rows && threadIdx.x == 0) out[row] = row;
}

int main() {
  const int rows = 70000;
  std::vector<int> out(rows);
  int *d_out, wrong = 0;
  cudaMalloc(&d_out, rows * sizeof(int));
  cudaMemset(d_out, 0xff, rows * sizeof(int));
  row_number<<<dim3(rows, 1), 1>>>(d_out, rows);
  cudaMemcpy(out.data(), d_out, rows * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < rows; ++i) wrong += out[i] != i;
  printf("%d rows are wrong\n", wrong);
  return wrong != 0;
}
