// Product of two matrices, N x K times K x M, through tiles in shared memory.
#include <cstdio>
#include <vector>

const int N = 8, K = 12, M = 8, TILE = 4;

__global__ void product(const float* a, const float* b, float* c, int n, int k, int m) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int first = 0; first < k; first += TILE) {
    as[y][x] = row < n && first + x < k ? a[row * k + first + x] : 0;
    bs[y][x] = first + y < k && column < m ? b[(first + y) * m + column] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += as[y][i] * bs[i][x];
    __syncthreads();
  }
  if (row < n && column < m) c[row * m + column] = sum;
}

int main() {
  std::vector<float> left(N * K), right(K * M), result(N * M);
  for (int i = 0; i < N * K; i++) left[i] = i * 7 % 5;
  for (int i = 0; i < K * M; i++) right[i] = i * 3 % 7;

  float *a, *b, *c;
  cudaMalloc(&a, N * K * sizeof(float));
  cudaMalloc(&b, K * M * sizeof(float));
  cudaMalloc(&c, N * M * sizeof(float));
  cudaMemcpy(a, left.data(), N * K * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, right.data(), K * M * sizeof(float), cudaMemcpyHostToDevice);

  dim3 block(TILE, TILE), grid((M + TILE - 1) / TILE, (N + TILE - 1) / TILE);
  product<<<grid, block>>>(a, b, c, N, K, M);

  cudaMemcpy(result.data(), c, N * M * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int row = 0; row < N; row++)
    for (int column = 0; column < M; column++) {
      float sum = 0;
      for (int i = 0; i < K; i++) sum += left[row * K + i] * right[i * M + column];
      wrong += result[row * M + column] != sum;
    }
  printf("%d x %d times %d x %d, %d wrong\n", N, K, K, M, wrong);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return wrong ? 1 : 0;
}
