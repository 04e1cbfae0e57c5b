#include <cstdio>
#include <vector>

const int BLOCK = 256;

__device__ int sum_of_warp(int v) {
  for (int s = 16; s > 0; s >>= 1) v += __shfl_down_sync(0xffffffff, v, s);
  return v;
}

__global__ void sum(const int* in, int* out) {
  __shared__ int part[BLOCK];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * BLOCK + t];
  for (int s = BLOCK / 2; s > 32; s >>= 1) {
    __syncthreads();
    if (t < s) part[t] += part[t + s];
  }
  __syncthreads();
  if (t >= 32) return;
  int v = sum_of_warp(part[t] + part[t + 32]);
  if (t == 0) out[blockIdx.x] = v;
}

int main() {
  const int blocks = 4, n = blocks * BLOCK;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = i % 10;
  int *d_in, *d_out, out[blocks], got = 0, want = 0;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, blocks * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<blocks, BLOCK>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int b = 0; b < blocks; ++b) got += out[b];
  for (int v : in) want += v;
  printf("sum %d, expected %d\n", got, want);
  return got != want;
}
