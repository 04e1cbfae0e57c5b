// A reduction: the sum of all inputs, by a tree.
// barrierscope: expect out = sum(in)
#include <cstdio>

const int n = 16;

__global__ void reduce(const int* in, int* out) {
  __shared__ int sum[n];
  int i = threadIdx.x;
  sum[i] = in[i];
  for (int offset = n / 2; offset > 0; offset /= 2) {
    __syncthreads();
    if (i < offset) sum[i] += sum[i + offset];
  }
  if (i == 0) out[0] = sum[0];
}

int main() {
  int host[n], total, *in, *out;
  for (int i = 0; i < n; ++i) host[i] = i * 7 % 10;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof total);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  reduce<<<1, n>>>(in, out);
  cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
  printf("%d\n", total);
  cudaFree(in);
  cudaFree(out);
}
