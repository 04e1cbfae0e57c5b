// laugh12321/TensorRT-YOLO#11, jaredhoberock/bulk#14
#include <cstdio>

__global__ void __launch_bounds__(256) cube(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i] * in[i];
}

int main() {
  const int n = 500;
  int in[n], out[n] = {}, *d_in, *d_out, wrong = 0;
  for (int i = 0; i < n; ++i) in[i] = i;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, sizeof out);
  cube<<<1, 512>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != i * i * i;
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
