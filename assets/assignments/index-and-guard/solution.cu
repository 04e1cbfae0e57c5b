// N numbers are copied, one thread a number. The grid has enough blocks, the last one too many threads.
#include <cstdio>
#include <vector>

const int N = 20, BLOCK = 8, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void copy(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // the number that is this thread's
  if (i < n) out[i] = in[i];
}

int main() {
  std::vector<int> numbers(N), result(N);
  for (int i = 0; i < N; i++) numbers[i] = 7 * i % 10 + 1;

  int *in, *out;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);

  copy<<<BLOCKS, BLOCK>>>(in, out, N);

  cudaMemcpy(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d numbers: %s\n", N, result == numbers ? "right" : "wrong");
  cudaFree(in);
  cudaFree(out);
  return result == numbers ? 0 : 1;
}
