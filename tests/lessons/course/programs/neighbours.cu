// Each cell gets its left neighbour's value, through shared memory: a barrier between writing and reading.
#include <cstdio>

const int N = 64, BLOCK = 32, PAD = 0;

__global__ void shift(const int* in, int* out, int n) {
  __shared__ int tile[BLOCK + 1 + PAD];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) tile[threadIdx.x + 1] = in[i];
  if (threadIdx.x == 0) tile[0] = i > 0 ? in[i - 1] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x];
}

int main(int argc, char** argv) {
  int in[N], out[N];
  const int first = argc > 1 ? argv[1][0] - '0' : 5;
  for (int i = 0; i < N; i++) in[i] = first + i;
  int *din, *dout;
  cudaMalloc(&din, N * sizeof(int));
  cudaMalloc(&dout, N * sizeof(int));
  cudaMemcpy(din, in, N * sizeof(int), cudaMemcpyHostToDevice);
  shift<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(din, dout, N);
  cudaMemcpy(out, dout, N * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", out[N - 1]);
}
