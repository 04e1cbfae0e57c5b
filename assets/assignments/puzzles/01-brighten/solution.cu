// Makes every pixel of a grey picture brighter.
// Only threads that have a pixel write one.
#include <cstdio>

const int N = 500, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void brighten(int* pixels, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) pixels[i] = min(pixels[i] + 40, 255);
}

int main() {
  int picture[N], wrong = 0, *pixels;
  for (int i = 0; i < N; i++) picture[i] = 5 * i % 256;

  cudaMalloc(&pixels, N * sizeof(int));
  cudaMemcpy(pixels, picture, N * sizeof(int), cudaMemcpyHostToDevice);
  brighten<<<BLOCKS, BLOCK>>>(pixels, N);
  cudaMemcpy(picture, pixels, N * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(pixels);

  for (int i = 0; i < N; i++) wrong += picture[i] != min(5 * i % 256 + 40, 255);
  printf("%d of %d pixels are wrong\n", wrong, N);
  return wrong ? 1 : 0;
}
