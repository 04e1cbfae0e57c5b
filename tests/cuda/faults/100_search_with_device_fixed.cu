#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>

#include <cstdio>

/// Each thread looks up the bin of a value.
__global__ void find_bins(const float* edges, int bins, const float* values, int* bin, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bin[i] = thrust::upper_bound(thrust::seq, edges, edges + bins, values[i]) - edges - 1;
}

int main() {
  const int bins = 8, n = 64;
  float edges[bins], values[n], *d_edges, *d_values;
  int bin[n], *d_bin;
  for (int k = 0; k < bins; ++k) edges[k] = 10.0f * k;
  for (int i = 0; i < n; ++i) values[i] = i * 37 % 80 + 0.5f;
  cudaMalloc(&d_edges, sizeof edges);
  cudaMalloc(&d_values, sizeof values);
  cudaMalloc(&d_bin, sizeof bin);
  cudaMemcpy(d_edges, edges, sizeof edges, cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  find_bins<<<2, 32>>>(d_edges, bins, d_values, d_bin, n);
  cudaMemcpy(bin, d_bin, sizeof bin, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += bin[i] != int(values[i]) / 10;
  printf("%d wrong\n", wrong);
  cudaFree(d_edges);
  cudaFree(d_values);
  cudaFree(d_bin);
  return wrong != 0;
}
