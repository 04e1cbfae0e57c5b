// Finds the highest temperature: every block its own, then all together.
// Threads of other warps are waited for, too.
#include <cstdio>

const int N = 300, BLOCK = 128, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void warmest(const int* days, int* result, int n) {
  __shared__ int high[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  high[t] = i < n ? days[i] : 0;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) high[t] = max(high[t], high[t + half]);
  }
  if (t == 0) atomicMax(result, high[0]);
}

int main() {
  int year[N], expected = 0, found = 0, *days, *result;
  for (int i = 0; i < N; i++) {
    year[i] = (i * 37 + i * i) % 410;
    expected = max(expected, year[i]);
  }

  cudaMalloc(&days, N * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(days, year, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(result, 0, sizeof(int));
  warmest<<<BLOCKS, BLOCK>>>(days, result, N);
  cudaMemcpy(&found, result, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(days);
  cudaFree(result);

  printf("%d tenths of a degree, expected %d\n", found, expected);
  return found == expected ? 0 : 1;
}
