// acts-project/traccc#137
#include <cstdio>
#include <vector>

const int BLOCK = 64;

__global__ void reverse_blocks(const int* in, int* out, int n) {
  __shared__ int s[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;
  int length = min(BLOCK, n - (int)blockIdx.x * BLOCK);
  s[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = s[length - 1 - threadIdx.x];
}

int main() {
  const int n = 150;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  int *d_in, *d_out, wrong = 0;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse_blocks<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_in, d_out, n);
  cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    int first = i / BLOCK * BLOCK, length = n - first < BLOCK ? n - first : BLOCK;
    wrong += out[i] != in[first + length - 1 - (i - first)];
  }
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
