// brucefan1983/CUDA-Programming#51
#include <cstdio>

__global__ void add_warp(int* data) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  s[lane] = data[lane];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    if (lane < d) s[lane] += s[lane + d];
    __syncwarp((1u << d) - 1);
  }
  data[lane] = s[0];
}

int main() {
  const int n = 32;
  int data[n], *d_data, wrong = 0;
  for (int i = 0; i < n; ++i) data[i] = i;
  cudaMalloc(&d_data, sizeof data);
  cudaMemcpy(d_data, data, sizeof data, cudaMemcpyHostToDevice);
  add_warp<<<1, n>>>(d_data);
  cudaMemcpy(data, d_data, sizeof data, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += data[i] != n * (n - 1) / 2;
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
