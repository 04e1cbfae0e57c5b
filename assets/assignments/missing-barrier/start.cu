// A sum by halves with a mistake: there is one barrier before the loop, and none in it. A thread takes
// sums that are not there yet.
#include <cstdio>

const int N = 120, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

// barrierscope: expect total = sum(data)
__global__ void reduce(const int* data, int* total, int n) {
  __shared__ int s[BLOCK];
  int i = threadIdx.x;
  int k = blockIdx.x * blockDim.x + i;
  s[i] = k < n ? data[k] : 0;
  __syncthreads();

  for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
    if (i < stride) s[i] += s[i + stride];

  if (i == 0) atomicAdd(total, s[0]);
}

int main() {
  int numbers[N], expected = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    expected += numbers[i];
  }

  int *data, *total;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));

  reduce<<<BLOCKS, BLOCK>>>(data, total, N);

  int result = 0;
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(data);
  cudaFree(total);
  return result == expected ? 0 : 1;
}
