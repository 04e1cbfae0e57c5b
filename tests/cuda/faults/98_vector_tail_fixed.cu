// rigaya/NVEnc#763
#include <cstdio>
#include <vector>

__global__ void negate(const int* in, int* out, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = 0; k < 4; ++k)
    if (i + k < n) out[i + k] = -in[i + k];
}

int main() {
  const int n = 1002;
  std::vector<int> in(n), out(n);
  int *d_in, *d_out, wrong = 0;
  for (int i = 0; i < n; ++i) in[i] = i + 1;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  negate<<<4, 64>>>(d_in, d_out, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != -in[i];
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
