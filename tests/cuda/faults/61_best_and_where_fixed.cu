// FSP-Labs/FSP.DMRCrack#1
#include <cstdio>
#include <vector>

__global__ void find_best(const int* score, unsigned long long* best, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(best, (unsigned long long)score[i] << 32 | i);
}

int main() {
  const int n = 256;
  std::vector<int> score(n);
  unsigned long long both = 0, *d_best;
  int best = 0, where = 0, *d_score;
  for (int i = 0; i < n; ++i) score[i] = i * 37 % 251 + 1;
  cudaMalloc(&d_score, n * sizeof(int));
  cudaMalloc(&d_best, sizeof both);
  cudaMemcpy(d_score, score.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_best, 0, sizeof both);
  find_best<<<n / 64, 64>>>(d_score, d_best, n);
  cudaMemcpy(&both, d_best, sizeof both, cudaMemcpyDeviceToHost);
  best = both >> 32;
  where = both & 0xffffffff;
  printf("best %d at %d, where there is %d\n", best, where, score[where]);
  return score[where] != best;
}
