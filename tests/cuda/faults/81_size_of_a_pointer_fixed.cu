// NVIDIA/CUDALibrarySamples#96
#include <cstdio>
#include <cstdlib>

__global__ void square(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

int main() {
  const int n = 50;
  int* in = (int*)malloc(n * sizeof(int));
  int out[n], *d_in, *d_out, wrong = 0;
  for (int i = 0; i < n; ++i) in[i] = i + 3;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice);
  square<<<1, 64>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != in[i] * in[i];
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
