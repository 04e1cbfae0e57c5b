// CMU-SAFARI/SneakySnake#2
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void double_it(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 1000, block = 128;
  std::vector<int> in(n), out(n);
  int *d_in, *d_out, wrong = 0;
  for (int i = 0; i < n; ++i) in[i] = i + 1;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  int blocks = ceil((double)n / block);
  double_it<<<blocks, block>>>(d_in, d_out, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != 2 * in[i];
  printf("%d of %d are wrong\n", wrong, n);
  return wrong != 0;
}
