// Raises every wage by 150.
// The wages come back from the device.
#include <cstdio>

const int N = 100, BLOCK = 32;

__global__ void add_to(int* wages, int more, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) wages[i] += more;
}

void raise(int* wages, int n) {
  int* d_wages;
  size_t bytes = n * sizeof(int);
  cudaMalloc(&d_wages, bytes);
  cudaMemcpy(d_wages, wages, bytes, cudaMemcpyHostToDevice);
  add_to<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_wages, 150, n);
  cudaMemcpy(wages, d_wages, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_wages);
}

int main() {
  int wages[N], wrong = 0;
  for (int i = 0; i < N; i++) wages[i] = 2500 + 3 * i;
  raise(wages, N);
  for (int i = 0; i < N; i++) wrong += wages[i] != 2650 + 3 * i;
  printf("%d of %d wages are wrong\n", wrong, N);
  return wrong ? 1 : 0;
}
