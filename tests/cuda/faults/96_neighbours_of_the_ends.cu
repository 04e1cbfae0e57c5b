// myurtoglu/cudaforengineers#5
#include <cstdio>

__global__ void second_difference(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i - 1] - 2 * in[i] + in[i + 1];
}

int main() {
  const int n = 200;
  int in[n], out[n], *d_in, *d_out, wrong = 0;
  for (int i = 0; i < n; ++i) in[i] = i * i;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, sizeof out);
  second_difference<<<2, 128>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 1; i + 1 < n; ++i) wrong += out[i] != 2;
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
