// Converts temperatures from Celsius to Fahrenheit.
#include <cstdio>

const int N = 100, BLOCK = 32;

__global__ void to_fahrenheit(const int* celsius, int* fahrenheit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) fahrenheit[i] = celsius[i] * 9 / 5 + 32;
}

void convert(const int* from, int* to, int n) {
  int *celsius, *fahrenheit;
  cudaMalloc(&celsius, n * sizeof(int));
  cudaMalloc(&fahrenheit, n * sizeof(int));
  cudaMemcpy(celsius, from, n * sizeof(int), cudaMemcpyHostToDevice);
  to_fahrenheit<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(celsius, fahrenheit, n);
  cudaMemcpy(to, fahrenheit, n, cudaMemcpyDeviceToHost);
  cudaFree(celsius);
  cudaFree(fahrenheit);
}

int main() {
  int measured[N], converted[N] = {}, wrong = 0;
  for (int i = 0; i < N; i++) measured[i] = i - 20;
  convert(measured, converted, N);
  for (int i = 0; i < N; i++) wrong += converted[i] != (i - 20) * 9 / 5 + 32;
  printf("%d of %d temperatures are wrong\n", wrong, N);
  return wrong ? 1 : 0;
}
