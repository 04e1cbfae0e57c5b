// ORNL/HeCBench#254
#include <cstdio>

__global__ void normalise(const int* in, int* out, int n) {
  __shared__ int part[128];
  __shared__ int total;
  int t = threadIdx.x;
  part[t] = in[t];
  __syncthreads();
  if (t == n - 1) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += part[i];
    total = sum;
  }
  out[t] = 1000 * part[t] / total;
}

int main() {
  const int n = 128;
  int in[n], out[n], *d_in, *d_out, sum = 0, wrong = 0;
  for (int i = 0; i < n; ++i) sum += in[i] = 1 + i % 5;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  normalise<<<1, n>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != 1000 * in[i] / sum;
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
