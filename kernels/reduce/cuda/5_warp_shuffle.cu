// The sum of N numbers: halves in shared memory until one warp is left, whose lanes then take from one
// another by shuffles, without barriers. Each block leaves one sum; a second launch adds those.
#include <cstdio>

const int N = 300, BLOCK = 128, BLOCKS = (N + BLOCK - 1) / BLOCK;

// barrierscope: expect sums_2 = sum(data)
__global__ void reduce(const int* data, int* sums, int n) {
  __shared__ int s[BLOCK];
  int i = threadIdx.x;
  int k = blockIdx.x * blockDim.x + i;
  s[i] = k < n ? data[k] : 0;

  int stride = blockDim.x / 2;
  for (; stride >= 32; stride /= 2) {
    __syncthreads();
    if (i < stride) s[i] += s[i + stride];
  }

  if (i < 32) {
    int mine = s[i];
    for (; stride > 0; stride /= 2) mine += __shfl_xor_sync(0xffffffff, mine, stride);
    if (i == 0) sums[blockIdx.x] = mine;
  }
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
