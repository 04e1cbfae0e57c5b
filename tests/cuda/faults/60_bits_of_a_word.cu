// NVIDIA/cudf#464
#include <cstdio>
#include <vector>

__global__ void mark_positive(const float* x, unsigned* valid, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) valid[i / 32] |= 1u << i % 32;
}

int main() {
  const int n = 200, words = (n + 31) / 32;
  std::vector<float> x(n);
  std::vector<unsigned> got(words), want(words);
  for (int i = 0; i < n; ++i) {
    x[i] = i % 3 - 1;
    if (x[i] > 0) want[i / 32] |= 1u << i % 32;
  }
  float* d_x;
  unsigned* d_valid;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_valid, words * sizeof(unsigned));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(d_valid, 0, words * sizeof(unsigned));
  mark_positive<<<(n + 63) / 64, 64>>>(d_x, d_valid, n);
  cudaMemcpy(got.data(), d_valid, words * sizeof(unsigned), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int w = 0; w < words; ++w) wrong += got[w] != want[w];
  printf("%d words are wrong\n", wrong);
  return wrong != 0;
}
