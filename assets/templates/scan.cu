// A scan: each output is the sum of the inputs up to its own.
// barrierscope: expect out = inclusive_scan(in)
#include <cstdio>

const int n = 16;

__global__ void scan(const int* in, int* out) {
  __shared__ int sum[n];
  int i = threadIdx.x;
  sum[i] = in[i];
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    int left = i >= stride ? sum[i - stride] : 0;
    __syncthreads();
    sum[i] += left;
  }
  out[i] = sum[i];
}

int main() {
  int host[n], *in, *out;
  for (int i = 0; i < n; ++i) host[i] = i * 7 % 10;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  scan<<<1, n>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int x : host) printf("%d ", x);
  printf("\n");
  cudaFree(in);
  cudaFree(out);
}
