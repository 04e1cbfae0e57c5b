// Of N numbers those at even places are added to, and those at odd places are doubled, several times.
#include <cstdio>
#include <vector>

const int N = 64, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK, ROUNDS = 3;

__global__ void change(const int* in, int* out, int n) {
  // The first half of the block takes the even places, the second half the odd ones.
  int t = threadIdx.x, half = blockDim.x / 2;
  int i = blockIdx.x * blockDim.x + (t < half ? 2 * t : 2 * (t - half) + 1);
  if (i >= n) return;
  int x = in[i];
  if (i % 2 == 0)
    for (int k = 0; k < ROUNDS; k++) x = x + 3;
  else
    for (int k = 0; k < ROUNDS; k++) x = x * 2;
  out[i] = x;
}

int main() {
  std::vector<int> numbers(N), result(N);
  for (int i = 0; i < N; i++) numbers[i] = 7 * i % 10 + 1;

  int *in, *out;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);

  change<<<BLOCKS, BLOCK>>>(in, out, N);

  cudaMemcpy(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += result[i] != (i % 2 == 0 ? numbers[i] + 3 * ROUNDS : numbers[i] << ROUNDS);
  printf("%d numbers, %d wrong\n", N, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong ? 1 : 0;
}
