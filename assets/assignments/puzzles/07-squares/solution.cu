// Squares numbers in managed memory, and adds them up on the host.
// The host waits for the kernel before it reads.
#include <cstdio>

const int N = 200, BLOCK = 64;

__global__ void square(int* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= values[i];
}

long sum_of_squares(int n) {
  int* values;
  cudaMallocManaged(&values, n * sizeof(int));
  for (int i = 0; i < n; i++) values[i] = i;
  square<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(values, n);
  cudaDeviceSynchronize();
  long sum = 0;
  for (int i = 0; i < n; i++) sum += values[i];
  cudaFree(values);
  return sum;
}

int main() {
  long sum = sum_of_squares(N), expected = long(N - 1) * N * (2 * N - 1) / 6;
  printf("sum of squares: %ld\n", sum);
  return sum == expected ? 0 : 1;
}
