// torch/cutorch#222
#include <cstdio>

__global__ void fill(int* out, int value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i;
}

__global__ void add(const int* left, const int* right, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = left[i] + right[i];
}

int main() {
  const int n = 200;
  int *left, *right, *d_out, out[n], wrong = 0;
  cudaStream_t a, b, c;
  cudaEvent_t done;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaStreamCreate(&c);
  cudaEventCreate(&done);
  cudaMalloc(&left, sizeof out);
  cudaMalloc(&right, sizeof out);
  cudaMalloc(&d_out, sizeof out);
  fill<<<2, 128, 0, a>>>(left, 1, n);
  cudaEventRecord(done, a);
  fill<<<2, 128, 0, b>>>(right, 1000, n);
  cudaEventRecord(done, b);
  cudaStreamWaitEvent(c, done, 0);
  add<<<2, 128, 0, c>>>(left, right, d_out, n);
  cudaDeviceSynchronize();
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != 1001 + 2 * i;
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
