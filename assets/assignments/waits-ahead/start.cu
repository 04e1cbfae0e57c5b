// A scan in a single pass with a mistake: each block waits for the sum that the block before it in the data
// passes on, and that is one which starts later. It works while all blocks fit on the GPU at once.
#include <cstdio>

const int N = 640, BLOCK = 32, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void scan(const int* in, int* out, volatile int* passed, volatile int* ready, int n) {
  __shared__ int sum[BLOCK];
  __shared__ int before;
  int tile = gridDim.x - 1 - blockIdx.x;  // the last tile goes first
  int i = threadIdx.x, k = tile * blockDim.x + i;
  sum[i] = k < n ? in[k] : 0;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    int left = i >= stride ? sum[i - stride] : 0;
    __syncthreads();
    sum[i] += left;
  }
  __syncthreads();

  if (i == 0) {
    before = 0;
    if (tile > 0) {
      while (ready[tile - 1] == 0) {
      }
      __threadfence();
      before = passed[tile - 1];
    }
    passed[tile] = before + sum[blockDim.x - 1];
    __threadfence();
    ready[tile] = 1;
  }
  __syncthreads();
  if (k < n) out[k] = before + sum[i];
}

int main() {
  int numbers[N], expected[N], result[N], sum = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    sum += numbers[i];
    expected[i] = sum;
  }

  int *in, *out, *passed, *ready;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMalloc(&passed, BLOCKS * sizeof(int));
  cudaMalloc(&ready, BLOCKS * sizeof(int));
  cudaMemcpy(in, numbers, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(ready, 0, BLOCKS * sizeof(int));

  scan<<<BLOCKS, BLOCK>>>(in, out, passed, ready, N);

  cudaMemcpy(result, out, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += result[i] != expected[i];
  printf("scan of %d numbers, %d wrong\n", N, wrong);
  cudaFree(in);
  cudaFree(out);
  cudaFree(passed);
  cudaFree(ready);
  return wrong ? 1 : 0;
}
