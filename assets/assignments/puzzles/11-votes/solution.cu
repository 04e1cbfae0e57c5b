// Counts the votes of each party: every block its own, then all together.
// Shared memory begins with any content: it is cleared before it is counted in.
#include <cstdio>

const int N = 300, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK, PARTIES = 8;

__global__ void count_votes(const int* votes, int* result, int n) {
  __shared__ int counted[PARTIES];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < PARTIES) counted[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&counted[votes[i]], 1);
  __syncthreads();
  if (threadIdx.x < PARTIES) atomicAdd(&result[threadIdx.x], counted[threadIdx.x]);
}

int main() {
  int ballots[N], expected[PARTIES] = {}, counts[PARTIES], wrong = 0, *votes, *result;
  for (int i = 0; i < N; i++) {
    ballots[i] = i * i % PARTIES;
    expected[ballots[i]]++;
  }

  cudaMalloc(&votes, N * sizeof(int));
  cudaMalloc(&result, sizeof counts);
  cudaMemcpy(votes, ballots, N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(result, 0, sizeof counts);
  count_votes<<<BLOCKS, BLOCK>>>(votes, result, N);
  cudaMemcpy(counts, result, sizeof counts, cudaMemcpyDeviceToHost);
  cudaFree(votes);
  cudaFree(result);

  for (int p = 0; p < PARTIES; p++) wrong += counts[p] != expected[p];
  printf("%d of %d parties have a wrong count\n", wrong, PARTIES);
  return wrong ? 1 : 0;
}
