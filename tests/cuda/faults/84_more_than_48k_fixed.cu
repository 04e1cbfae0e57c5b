// punica-ai/punica#20
#include <cstdio>
#include <vector>

__global__ void reverse(const int* in, int* out, int n) {
  extern __shared__ int s[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[n - 1 - i];
}

int main() {
  const int n = 16000;
  std::vector<int> in(n), out(n);
  int *d_in, *d_out, wrong = 0;
  for (int i = 0; i < n; ++i) in[i] = i;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, n * sizeof(int));
  reverse<<<1, 256, n * sizeof(int)>>>(d_in, d_out, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += out[i] != n - 1 - i;
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
