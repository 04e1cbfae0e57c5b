// The sum of N numbers by halves in shared memory. A thread adds UNROLL numbers, a block apart, before the
// tree begins. Each block leaves one sum; a second launch adds those.
#include <cstdio>

const int N = 300, BLOCK = 64, UNROLL = 2, BLOCKS = (N + BLOCK * UNROLL - 1) / (BLOCK * UNROLL);

// barrierscope: expect sums_2 = sum(data)
__global__ void reduce(const int* data, int* sums, int n) {
  __shared__ int s[BLOCK];
  int i = threadIdx.x;
  int first = blockIdx.x * blockDim.x * UNROLL + i;
  int mine = first < n ? data[first] : 0;
#pragma unroll
  for (int u = 1; u < UNROLL; u++) {
    int k = first + u * blockDim.x;
    if (k < n) mine += data[k];
  }
  s[i] = mine;

  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (i < stride) s[i] += s[i + stride];
  }

  if (i == 0) sums[blockIdx.x] = s[0];
}

int main() {
  int numbers[N], expected = 0;
  for (int i = 0; i < N; i++) {
    numbers[i] = 7 * i % 10 + 1;
    expected += numbers[i];
  }

  int *data, *sums, *total;
  cudaMalloc(&data, N * sizeof(int));
  cudaMalloc(&sums, BLOCKS * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(data, numbers, N * sizeof(int), cudaMemcpyHostToDevice);

  reduce<<<BLOCKS, BLOCK>>>(data, sums, N);
  reduce<<<1, BLOCK>>>(sums, total, BLOCKS);

  int result = 0;
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum of %d numbers: %d\n", N, result);
  cudaFree(data);
  cudaFree(sums);
  cudaFree(total);
  return result == expected ? 0 : 1;
}
