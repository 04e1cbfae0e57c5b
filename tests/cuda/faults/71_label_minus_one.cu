// ORNL/HeCBench#314
#include <cstdio>

const int CLASSES = 10;

__global__ void vote(const int* label, int* votes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&votes[label[i]], 1);
}

int main() {
  const int n = 200;
  int label[n], votes[CLASSES], want[CLASSES] = {}, *d_label, *d_votes, wrong = 0;
  for (int i = 0; i < n; ++i) {
    label[i] = i % 17 == 0 ? -1 : i % CLASSES;
    if (label[i] >= 0) ++want[label[i]];
  }
  cudaMalloc(&d_label, sizeof label);
  cudaMalloc(&d_votes, sizeof votes);
  cudaMemcpy(d_label, label, sizeof label, cudaMemcpyHostToDevice);
  cudaMemset(d_votes, 0, sizeof votes);
  vote<<<(n + 63) / 64, 64>>>(d_label, d_votes, n);
  cudaMemcpy(votes, d_votes, sizeof votes, cudaMemcpyDeviceToHost);
  for (int c = 0; c < CLASSES; ++c) wrong += votes[c] != want[c];
  printf("%d classes are wrong\n", wrong);
  return wrong != 0;
}
