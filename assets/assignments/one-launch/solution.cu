// The sum of N numbers, TIMES times, each in one launch: each block leaves the sum of its numbers, and the last
// one to do so adds up these sums.
#include <cstdio>
#include <vector>

const int N = 100, BLOCK = 32, BLOCKS = 4, TIMES = 2;

__global__ void sum_blocks(const int* in, int* partial, int* done, int* total, int n) {
  __shared__ int s[BLOCK];
  int i = threadIdx.x, threads = gridDim.x * blockDim.x;
  int mine = 0;
  for (int k = blockIdx.x * blockDim.x + i; k < n; k += threads) mine += in[k];
  s[i] = mine;
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (i < half) s[i] += s[i + half];
  }
  if (i > 0) return;
  partial[blockIdx.x] = s[0];
  __threadfence();
  if (atomicAdd(done, 1) < BLOCKS - 1) return;
  __threadfence();
  int sum = 0;
  for (int b = 0; b < BLOCKS; b++) sum += partial[b];
  *total = sum;
  *done = 0;
}

// partial has room for BLOCKS numbers; *done is 0 before the first call.
void run(const int* in, int* partial, int* done, int* total, int n) {
  sum_blocks<<<BLOCKS, BLOCK>>>(in, partial, done, total, n);
}

int main() {
  std::vector<int> numbers(N);
  int expected = 0;
  for (int i = 0; i < N; i++) expected += numbers[i] = 7 * i % 10 + 1;

  int *in, *partial, *done, *total;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&partial, BLOCKS * sizeof(int));
  cudaMalloc(&done, sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(done, 0, sizeof(int));

  int wrong = 0;
  for (int k = 0; k < TIMES; k++) {
    cudaMemset(total, 0, sizeof(int));
    run(in, partial, done, total, N);
    int result = 0;
    cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
    wrong += result != expected;
    printf("sum of %d numbers: %d\n", N, result);
  }
  cudaFree(in);
  cudaFree(partial);
  cudaFree(done);
  cudaFree(total);
  return wrong ? 1 : 0;
}
