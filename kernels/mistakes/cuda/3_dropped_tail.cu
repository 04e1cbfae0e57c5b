// A sum with a mistake: four numbers a load, and a guard that lets whole groups of four through only. No
// thread adds the last one, two or three.
#include <cstdio>

const int N = 259, BLOCK = 64, BLOCKS = (N + 4 * BLOCK - 1) / (4 * BLOCK);

// barrierscope: expect total = sum(data)
__global__ void reduce(const int* data, int* total, int n) {
  __shared__ int s[BLOCK];
  int i = threadIdx.x;
  int k = blockIdx.x * blockDim.x + i;
  int mine = 0;
  if (k < n / 4) {
    int4 four = ((const int4*)data)[k];
    mine = four.x + four.y + four.z + four.w;
  }
  s[i] = mine;

  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (i < stride) s[i] += s[i + stride];
  }

  if (i == 0) atomicAdd(total, s[0]);
}

int main() {
  static int numbers[N];  // not on the stack, which is too small for a large N
  int expected = 0;
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
