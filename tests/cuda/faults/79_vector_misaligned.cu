// apache/tvm#8540, apache/tvm#9731
#include <cstdio>

__global__ void add_four(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 4 <= n) {
    float4 v = *(const float4*)(in + 4 * i);
    out[i] = v.x + v.y + v.z + v.w;
  }
}

int main() {
  const int n = 128;
  float in[n + 1], out[n / 4], *d_in, *d_out;
  int wrong = 0;
  for (int i = 0; i <= n; ++i) in[i] = i;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  add_four<<<1, 32>>>(d_in + 1, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n / 4; ++i)
    wrong += out[i] != in[4 * i + 1] + in[4 * i + 2] + in[4 * i + 3] + in[4 * i + 4];
  printf("%d are wrong: %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
  return wrong != 0;
}
