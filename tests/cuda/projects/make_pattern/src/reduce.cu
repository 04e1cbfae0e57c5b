#include "reduce.hpp"

__global__ void reduce(const int* in, int* out) {
  __shared__ int s[N];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int stride = N / 2; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

int sum_on_gpu(const int* values, int n) {
  int *in, *out, sum = 0;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, values, n * sizeof(int), cudaMemcpyHostToDevice);
  reduce<<<1, n>>>(in, out);
  cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return sum;
}
