// numba/numba#4907
#include <cstdio>
#include <vector>

__global__ void count_even(const int* in, int* out, int n) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2 == 0) atomicAdd(&found, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = found;
}

int main() {
  const int n = 512, blocks = 4;
  std::vector<int> in(n);
  int out[blocks], *d_in, *d_out, sum = 0;
  for (int i = 0; i < n; ++i) in[i] = i;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  count_even<<<blocks, n / blocks>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int b = 0; b < blocks; ++b) sum += out[b];
  printf("%d even numbers, expected %d\n", sum, n / 2);
  return sum != n / 2;
}
