// NVIDIA/cudf#10368, rusty1s/pytorch_spline_conv#63
#include <cstdio>
#include <vector>

const int STEP = 48271;

__global__ void shuffle(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * STEP % n];
}

int main() {
  const int n = 50000;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  int *d_in, *d_out, wrong = 0;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  shuffle<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != (long long)i * STEP % n;
  printf("%d of %d are wrong\n", wrong, n);
  return wrong != 0;
}
