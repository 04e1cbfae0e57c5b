// bluekds/CUDA_Programming#2
#include <cstdio>

__global__ void count_threads(int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, count);
}

int main() {
  int *d_out, got = 0;
  cudaMalloc(&d_out, sizeof(int));
  cudaMemset(d_out, 0, sizeof(int));
  count_threads<<<8, 128>>>(d_out);
  cudaMemcpy(&got, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d threads, expected %d\n", got, 8 * 128);
  return got != 8 * 128;
}
