// Two first kernels. The first doubles N numbers, one thread a number. The second reverses the numbers of
// each block, so its threads hand numbers to each other: through shared memory, with a barrier in between.
#include <cstdio>
#include <vector>

const int N = 20, BLOCK = 8, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void twice(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = in[i];
    out[i] = 2 * x;
  }
}

__global__ void reverse(const int* in, int* out, int n) {
  __shared__ int s[BLOCK];
  int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;
  int count = min(BLOCK, n - first);  // the last block has fewer numbers than threads
  if (i < n) s[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n) out[i] = s[count - 1 - threadIdx.x];
}

int main() {
  std::vector<int> numbers(N), doubled(N), reversed(N);
  for (int i = 0; i < N; i++) numbers[i] = 7 * i % 10;

  int *in, *out;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);

  twice<<<BLOCKS, BLOCK>>>(in, out, N);
  cudaMemcpy(doubled.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  reverse<<<BLOCKS, BLOCK>>>(in, out, N);
  cudaMemcpy(reversed.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);

  int wrong = 0;
  for (int i = 0; i < N; i++) {
    int first = i / BLOCK * BLOCK, count = N - first < BLOCK ? N - first : BLOCK;
    wrong += doubled[i] != 2 * numbers[i];
    wrong += reversed[i] != numbers[first + count - 1 - (i - first)];
  }
  printf("%d numbers in %d blocks, %d wrong\n", N, BLOCKS, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong ? 1 : 0;
}
