// FSP-Labs/FSP.DMRCrack#1
#include <cstdio>
#include <vector>

__global__ void find_best(const int* score, int* best, int* where, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && atomicMax(best, score[i]) < score[i]) *where = i;
}

int main() {
  const int n = 256;
  std::vector<int> score(n);
  int best = 0, where = 0, *d_score, *d_best, *d_where;
  for (int i = 0; i < n; ++i) score[i] = i * 37 % 251 + 1;
  cudaMalloc(&d_score, n * sizeof(int));
  cudaMalloc(&d_best, sizeof(int));
  cudaMalloc(&d_where, sizeof(int));
  cudaMemcpy(d_score, score.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_best, 0, sizeof(int));
  cudaMemset(d_where, 0, sizeof(int));
  find_best<<<n / 64, 64>>>(d_score, d_best, d_where, n);
  cudaMemcpy(&best, d_best, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&where, d_where, sizeof(int), cudaMemcpyDeviceToHost);
  printf("best %d at %d, where there is %d\n", best, where, score[where]);
  return score[where] != best;
}
