#include <cstdio>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

__global__ void center(const int* in, int* out, int* sums) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage temp;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  int sum = Reduce(temp).Sum(v);
  int largest = Reduce(temp).Reduce(v, cub::Max());
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    out[blockIdx.x] = largest;
  }
}

int main() {
  const int n = 256;
  int host[n], result[4];
  for (int i = 0; i < n; ++i) host[i] = i * 37 % 101;
  int *in, *out, *sums;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMalloc(&sums, 2 * sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  center<<<2, 128>>>(in, out, sums);
  cudaMemcpy(result, sums, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(result + 2, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d, at most %d %d\n", result[0], result[1], result[2], result[3]);
}
