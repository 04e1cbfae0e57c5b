// gunrock/gunrock#829
#include <cstdio>
#include <vector>

__global__ void prune(const int* to, const int* degree, int* lowered, int* removed, int limit, int n) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  if (degree[v] < limit) {
    removed[v] = 1;
    atomicAdd(&lowered[to[v]], 1);
  }
}

int main() {
  const int n = 96, limit = 2;
  std::vector<int> to(n), degree(n), removed(n);
  for (int v = 0; v < n; ++v) {
    to[v] = (v + 1) % n;
    degree[v] = v % 4 + 1;
  }
  int *d_to, *d_degree, *d_lowered, *d_removed, wrong = 0;
  cudaMalloc(&d_to, n * sizeof(int));
  cudaMalloc(&d_degree, n * sizeof(int));
  cudaMalloc(&d_lowered, n * sizeof(int));
  cudaMalloc(&d_removed, n * sizeof(int));
  cudaMemcpy(d_to, to.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_degree, degree.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_lowered, 0, n * sizeof(int));
  cudaMemset(d_removed, 0, n * sizeof(int));
  prune<<<(n + 31) / 32, 32>>>(d_to, d_degree, d_lowered, d_removed, limit, n);
  cudaMemcpy(removed.data(), d_removed, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int v = 0; v < n; ++v) wrong += removed[v] != (degree[v] < limit);
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
