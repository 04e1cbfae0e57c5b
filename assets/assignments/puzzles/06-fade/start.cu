// Halves the volume of a recording.
#include <cstdio>

const int N = 300, BLOCK = 64;

__global__ void halve(short* samples, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) samples[i] /= 2;
}

void fade(short* recording, int n) {
  short* samples;
  size_t bytes = n * sizeof(short);
  int blocks = n / BLOCK;
  cudaMalloc(&samples, bytes);
  cudaMemcpy(samples, recording, bytes, cudaMemcpyHostToDevice);
  halve<<<blocks, BLOCK>>>(samples, n);
  cudaMemcpy(recording, samples, bytes, cudaMemcpyDeviceToHost);
  cudaFree(samples);
}

int main() {
  short recording[N];
  int wrong = 0;
  for (int i = 0; i < N; i++) recording[i] = 37 * i % 2000 - 1000;
  fade(recording, N);
  for (int i = 0; i < N; i++) wrong += recording[i] != (37 * i % 2000 - 1000) / 2;
  printf("%d of %d samples are wrong\n", wrong, N);
  return wrong ? 1 : 0;
}
