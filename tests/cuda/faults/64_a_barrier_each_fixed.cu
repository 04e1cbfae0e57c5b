// agency-library/agency#435
#include <cstdio>

__global__ void exchange(int* data, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t % 2 == 0 ? data[t] : data[t] * 10;
  __syncthreads();
  data[t] = t % 2 == 0 ? s[t + 1] : s[t - 1];
}

int main() {
  const int n = 64;
  int data[n], *d_data, wrong = 0;
  for (int i = 0; i < n; ++i) data[i] = i;
  cudaMalloc(&d_data, sizeof data);
  cudaMemcpy(d_data, data, sizeof data, cudaMemcpyHostToDevice);
  exchange<<<1, n>>>(d_data, n);
  cudaMemcpy(data, d_data, sizeof data, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += data[i] != (i % 2 == 0 ? (i + 1) * 10 : i - 1);
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
