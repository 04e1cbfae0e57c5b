// What is in a till after each sale: running totals, by one block.
// All threads have read before one writes.
#include <cstdio>

const int N = 128;

__global__ void running_totals(const int* sales, int* totals, int n) {
  __shared__ int sum[N];
  int i = threadIdx.x;
  sum[i] = sales[i];
  __syncthreads();
  for (int d = 1; d < n; d *= 2) {
    int left = i >= d ? sum[i - d] : 0;
    __syncthreads();
    sum[i] += left;
    __syncthreads();
  }
  totals[i] = sum[i];
}

int main() {
  int day[N], till[N], wrong = 0, money = 0, *sales, *totals;
  for (int i = 0; i < N; i++) day[i] = 13 * i % 40 + 1;

  cudaMalloc(&sales, N * sizeof(int));
  cudaMalloc(&totals, N * sizeof(int));
  cudaMemcpy(sales, day, N * sizeof(int), cudaMemcpyHostToDevice);
  running_totals<<<1, N>>>(sales, totals, N);
  cudaMemcpy(till, totals, N * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(sales);
  cudaFree(totals);

  for (int i = 0; i < N; i++) wrong += till[i] != (money += day[i]);
  printf("%d of %d totals are wrong\n", wrong, N);
  return wrong ? 1 : 0;
}
