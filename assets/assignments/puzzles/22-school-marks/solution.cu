// Adds up the marks of each pupil: a row of 32 marks a pupil, a thread a pupil.
// A row is one cell longer, so that the cells of a column lie in different banks.
#include <cstdio>

const int MARKS = 32, N = 64;

__global__ void add_marks(const int* marks, int* sums) {
  __shared__ int tile[32][MARKS + 1];
  int t = threadIdx.x, first = blockIdx.x * 32;
  for (int row = 0; row < 32; row++) tile[row][t] = marks[(first + row) * MARKS + t];
  __syncwarp();
  int sum = 0;
  for (int k = 0; k < MARKS; k++) sum += tile[t][k];
  sums[first + t] = sum;
}

int main() {
  int school[N * MARKS], result[N], wrong = 0, *marks, *sums;
  for (int i = 0; i < N * MARKS; i++) school[i] = i * i % 6 + 1;

  cudaMalloc(&marks, sizeof school);
  cudaMalloc(&sums, sizeof result);
  cudaMemcpy(marks, school, sizeof school, cudaMemcpyHostToDevice);
  add_marks<<<N / 32, 32>>>(marks, sums);
  cudaMemcpy(result, sums, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(marks);
  cudaFree(sums);

  for (int pupil = 0; pupil < N; pupil++) {
    int expected = 0;
    for (int k = 0; k < MARKS; k++) expected += school[pupil * MARKS + k];
    wrong += result[pupil] != expected;
  }
  printf("%d of %d sums are wrong\n", wrong, N);
  return wrong ? 1 : 0;
}
