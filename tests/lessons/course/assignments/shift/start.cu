// Each cell gets its left neighbour's value.
#include <cstdio>

const int N = 64, BLOCK = 32;

__global__ void shift(const int* in, int* out, int n) {
  __shared__ int tile[BLOCK + 1];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) tile[threadIdx.x + 1] = in[i];
  if (threadIdx.x == 0) tile[0] = i > 0 ? in[i - 1] : 0;
  if (i < n) out[i] = tile[threadIdx.x];
}

int main() {
  int in[N], out[N], wrong = 0;
  for (int i = 0; i < N; i++) in[i] = i + 1;
  int *din, *dout;
  cudaMalloc(&din, N * sizeof(int));
  cudaMalloc(&dout, N * sizeof(int));
  cudaMemcpy(din, in, N * sizeof(int), cudaMemcpyHostToDevice);
  shift<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(din, dout, N);
  cudaMemcpy(out, dout, N * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) wrong += out[i] != i;
  printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
