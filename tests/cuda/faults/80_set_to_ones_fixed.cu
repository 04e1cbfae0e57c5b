// karpathy/llm.c#381, karpathy/llm.c#384
#include <cstdio>
#include <vector>

__global__ void multiply(const int* in, int* product, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) product[i] *= in[i];
}

int main() {
  const int n = 100;
  std::vector<int> in(n), got(n);
  int *d_in, *d_product, wrong = 0;
  for (int i = 0; i < n; ++i) in[i] = i + 1;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_product, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  std::vector<int> ones(n, 1);
  cudaMemcpy(d_product, ones.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  multiply<<<1, 128>>>(d_in, d_product, n);
  cudaMemcpy(got.data(), d_product, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += got[i] != in[i];
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
