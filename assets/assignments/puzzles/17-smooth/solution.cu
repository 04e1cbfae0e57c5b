// Replaces every value by the sum of itself and its two neighbours. Beyond the ends all is 0.
// The last thread of a block has the number blockDim.x - 1.
#include <cstdio>

const int N = 200, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__device__ int value(const int* in, int i, int n) { return i >= 0 && i < n ? in[i] : 0; }

__global__ void smooth(const int* in, int* out, int n) {
  __shared__ int tile[BLOCK + 2];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t + 1] = value(in, i, n);
  if (t == 0) tile[0] = value(in, i - 1, n);
  if (t == blockDim.x - 1) tile[t + 2] = value(in, i + 1, n);
  __syncthreads();
  if (i < n) out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

int main() {
  int before[N], after[N], wrong = 0, *in, *out;
  for (int i = 0; i < N; i++) before[i] = 17 * i % 50 + 1;

  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, before, N * sizeof(int), cudaMemcpyHostToDevice);
  smooth<<<BLOCKS, BLOCK>>>(in, out, N);
  cudaMemcpy(after, out, N * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);

  for (int i = 0; i < N; i++) {
    int left = i > 0 ? before[i - 1] : 0, right = i < N - 1 ? before[i + 1] : 0;
    wrong += after[i] != left + before[i] + right;
  }
  printf("%d of %d values are wrong\n", wrong, N);
  return wrong ? 1 : 0;
}
