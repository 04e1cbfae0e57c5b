// Adds up the squares of the steps, in millimetres, that a walker's watch has measured.
// The product is computed in 64 bits.
#include <cstdio>

const int N = 100, BLOCK = 32, LONGEST = 70000;

__global__ void add_squares(const int* steps, unsigned long long* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long square = (unsigned long long)steps[i] * steps[i];
  atomicAdd(total, square);
}

int main() {
  int walk[N], *steps;
  unsigned long long expected = 0, result = 0, *total;
  for (int i = 0; i < N; i++) {
    walk[i] = i % 10 == 9 ? LONGEST : 600 + 3 * i;
    expected += (unsigned long long)walk[i] * walk[i];
  }

  cudaMalloc(&steps, N * sizeof(int));
  cudaMalloc(&total, sizeof result);
  cudaMemcpy(steps, walk, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(total, &result, sizeof result, cudaMemcpyHostToDevice);
  add_squares<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(steps, total, N);
  cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(steps);
  cudaFree(total);

  printf("%llu, expected %llu\n", result, expected);
  return result == expected ? 0 : 1;
}
