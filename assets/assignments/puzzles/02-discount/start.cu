// Takes a tenth off every price, in cents.
#include <cstdio>

const int N = 100, BLOCK = 32, BLOCKS = N / BLOCK + 1;

__global__ void discount(int* prices, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) prices[i] -= prices[i] / 10;
}

int main() {
  int list[N], wrong = 0, *prices;
  for (int i = 0; i < N; i++) list[i] = 1000 + 10 * i;

  cudaMalloc(&prices, N * sizeof(int));
  cudaMemcpy(prices, list, N * sizeof(int), cudaMemcpyHostToDevice);
  discount<<<BLOCKS, BLOCK>>>(prices, N);
  cudaMemcpy(list, prices, N * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(prices);

  for (int i = 0; i < N; i++) wrong += list[i] != 900 + 9 * i;
  printf("%d of %d prices are wrong\n", wrong, N);
  return wrong ? 1 : 0;
}
