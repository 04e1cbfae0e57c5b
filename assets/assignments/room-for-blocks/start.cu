// Each piece of BLOCK numbers is turned round. A block has PIECES pieces.
#include <cstdio>
#include <vector>

const int N = 2048, BLOCK = 64, PIECES = 8, TILE = BLOCK * PIECES;

__global__ void turn(const int* in, int* out, int n) {
  __shared__ int s[TILE];
  int t = threadIdx.x, first = blockIdx.x * TILE;
  for (int k = t; k < TILE; k += BLOCK) s[k] = first + k < n ? in[first + k] : 0;
  __syncthreads();
  for (int piece = 0; piece < TILE; piece += BLOCK) {
    int i = first + piece + t;
    if (i < n) out[i] = s[piece + BLOCK - 1 - t];
  }
}

int main() {
  std::vector<int> numbers(N), result(N);
  for (int i = 0; i < N; i++) numbers[i] = 7 * i % 10 + 1;

  int *in, *out;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);

  turn<<<(N + TILE - 1) / TILE, BLOCK>>>(in, out, N);

  cudaMemcpy(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) {
    int from = i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK;
    wrong += result[i] != (from < N ? numbers[from] : 0);
  }
  printf("%d numbers, %d wrong\n", N, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong ? 1 : 0;
}
