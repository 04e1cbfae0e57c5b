// GarrettGunnell/Cellular-Automata#1
#include <cstdio>
#include <vector>

__global__ void step(const int* cells, int* next, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int left = cells[(i + n - 1) % n], right = cells[(i + 1) % n];
  next[i] = left ^ right;
}

int main() {
  const int n = 300, steps = 4;
  std::vector<int> want(n), old(n), got(n);
  want[n / 2] = 1;
  int *cells, *next;
  cudaMalloc(&cells, n * sizeof(int));
  cudaMalloc(&next, n * sizeof(int));
  cudaMemcpy(cells, want.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int s = 0; s < steps; ++s) {
    step<<<(n + 63) / 64, 64>>>(cells, cells, n);
    old = want;
    for (int i = 0; i < n; ++i) want[i] = old[(i + n - 1) % n] ^ old[(i + 1) % n];
  }
  cudaMemcpy(got.data(), cells, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += got[i] != want[i];
  printf("%d cells are wrong\n", wrong);
  return wrong != 0;
}
