// Sums from the right, result[k] = data[k] + ... + data[N - 1], in a single pass, with a mistake: each block
// waits for what the block after it passes on. That works while all blocks fit on the GPU at once. One more,
// and all that have started wait for a block that starts only when one of them ends: then this program hangs.
#include <cstdio>

const int N = 640, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

// volatile: other blocks change these while this one looks
__global__ void sums_from_right(const int* data, int* result, volatile int* passed, volatile int* ready,
                                int n) {
  __shared__ int sum[BLOCK];
  int i = threadIdx.x, b = blockIdx.x, k = b * BLOCK + i;
  sum[i] = k < n ? data[k] : 0;
  __syncthreads();

  if (i == 0) {
    int carry = 0;
    if (b + 1 < gridDim.x) {
      while (ready[b + 1] == 0) {}
      __threadfence();
      carry = passed[b + 1];
    }
    for (int j = BLOCK - 1; j >= 0; j--) {
      carry = sum[j] + carry;
      sum[j] = carry;
    }
    passed[b] = carry;
    __threadfence();  // the sum before the word that says that it is there
    ready[b] = 1;
  }
  __syncthreads();

  if (k < n) result[k] = sum[i];
}

int main() {
  static int numbers[N], expected[N], result[N];  // not on the stack, which is too small for a large N
  int sum = 0;
  for (int i = N - 1; i >= 0; i--) {
    numbers[i] = 7 * i % 10 + 1;
    sum += numbers[i];
    expected[i] = sum;
  }

  int *data, *output, *passed, *ready;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&output, N * sizeof(int));
  cudaMalloc(&passed, BLOCKS * sizeof(int));
  cudaMalloc(&ready, BLOCKS * sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(ready, 0, BLOCKS * sizeof(int));

  sums_from_right<<<BLOCKS, BLOCK>>>(data, output, passed, ready, N);

  cudaMemcpy(result, output, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    if (i < 100) printf("%d ", result[i]);
    if (result[i] != expected[i]) wrong++;
  }
  printf("\n%d of %d are wrong\n", wrong, N);
  cudaFree(data);
  cudaFree(output);
  cudaFree(passed);
  cudaFree(ready);
  return wrong ? 1 : 0;
}
