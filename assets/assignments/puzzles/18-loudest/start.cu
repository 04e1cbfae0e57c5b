// Finds the loudest sample of a recording: every block its own, then all together.
#include <cstdio>

const int N = 200, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void loudest(const int* samples, int* result, int n) {
  __shared__ int most[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  most[t] = i < n ? abs(samples[i]) : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) {
      most[t] = max(most[t], most[t + half]);
      __syncthreads();
    }
  }
  if (t == 0) atomicMax(result, most[0]);
}

int main() {
  int recording[N], expected = 0, found = 0, *samples, *result;
  for (int i = 0; i < N; i++) {
    recording[i] = (i * i + 11 * i) % 997 - 500;
    expected = max(expected, abs(recording[i]));
  }

  cudaMalloc(&samples, N * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(samples, recording, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(result, 0, sizeof(int));
  loudest<<<BLOCKS, BLOCK>>>(samples, result, N);
  cudaMemcpy(&found, result, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(samples);
  cudaFree(result);

  printf("the loudest sample is %d, expected %d\n", found, expected);
  return found == expected ? 0 : 1;
}
