// Adds a year's interest to every account, and sums up what the bank holds.
// The host reads a copy of what lies in the device's memory.
#include <cstdio>

const int N = 100, BLOCK = 32;

__global__ void add_interest(int* balances, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) balances[i] += balances[i] / 50;
}

long after_a_year(int* balances, int n) {
  int* d_balances;
  size_t bytes = n * sizeof(int);
  cudaMalloc(&d_balances, bytes);
  cudaMemcpy(d_balances, balances, bytes, cudaMemcpyHostToDevice);
  add_interest<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_balances, n);
  cudaMemcpy(balances, d_balances, bytes, cudaMemcpyDeviceToHost);
  long total = 0;
  for (int i = 0; i < n; i++) total += balances[i];
  cudaFree(d_balances);
  return total;
}

int main() {
  int balances[N];
  long expected = 0;
  for (int i = 0; i < N; i++) {
    balances[i] = 50 * (i + 1);
    expected += 51 * (i + 1);
  }
  long total = after_a_year(balances, N);
  printf("the bank holds %ld\n", total);
  return total == expected ? 0 : 1;
}
