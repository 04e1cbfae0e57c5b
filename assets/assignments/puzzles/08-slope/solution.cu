// How steep a path is at each of its points: the next height less the one before. Both ends stay 0.
// The last point has no next one.
#include <cstdio>

const int N = 200, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void slope(const int* heights, int* result, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) result[i] = heights[i + 1] - heights[i - 1];
}

int main() {
  int path[N], slopes[N], wrong = 0, *heights, *result;
  for (int i = 0; i < N; i++) path[i] = 19 * i * i % 101;

  cudaMalloc(&heights, N * sizeof(int));
  cudaMalloc(&result, N * sizeof(int));
  cudaMemcpy(heights, path, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(result, 0, N * sizeof(int));
  slope<<<BLOCKS, BLOCK>>>(heights, result, N);
  cudaMemcpy(slopes, result, N * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(heights);
  cudaFree(result);

  for (int i = 0; i < N; i++) {
    int expected = i > 0 && i < N - 1 ? path[i + 1] - path[i - 1] : 0;
    wrong += slopes[i] != expected;
  }
  printf("%d of %d slopes are wrong\n", wrong, N);
  return wrong ? 1 : 0;
}
