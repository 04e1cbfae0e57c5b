// bakks/virginian#1, ROCm/hip#1837
#include <cstdio>

__constant__ int weights[4];

__global__ void weigh(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * weights[i % 4];
}

int main() {
  const int n = 64, host[4] = {3, 5, 7, 9};
  int in[n], out[n], *d_in, *d_out, wrong = 0;
  for (int i = 0; i < n; ++i) in[i] = i + 1;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpyToSymbol(weights, host, sizeof host);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  weigh<<<1, n>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != in[i] * host[i % 4];
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
