// modular/mojo-gpu-puzzles#26, ORNL/HeCBench#255
#include <cstdio>

const int N = 64;

__global__ void scan(int* data) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = data[t];
  for (int d = 1; d < N; d *= 2) {
    __syncthreads();
    int left = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += left;
  }
  data[t] = s[t];
}

int main() {
  int data[N], *d_data, sum = 0, wrong = 0;
  for (int i = 0; i < N; ++i) data[i] = 1 + i % 3;
  cudaMalloc(&d_data, sizeof data);
  cudaMemcpy(d_data, data, sizeof data, cudaMemcpyHostToDevice);
  scan<<<1, N>>>(d_data);
  cudaMemcpy(data, d_data, sizeof data, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; ++i) {
    sum += 1 + i % 3;
    wrong += data[i] != sum;
  }
  printf("%d prefix sums are wrong\n", wrong);
  return wrong != 0;
}
