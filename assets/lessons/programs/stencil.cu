// A convolution: each output is the weighted sum of the inputs up to RADIUS places away, zeros beyond the
// ends. Direct (TILED = false): each thread reads all of its inputs from global memory. Tiled: a block loads
// its tile and a halo of RADIUS cells on either side once, and its threads share them.
#include <cstdio>
#include <vector>

const int N = 24, BLOCK = 8, RADIUS = 2, WIDTH = BLOCK + 2 * RADIUS;
const bool TILED = true;

__constant__ int weight[2 * RADIUS + 1];

__global__ void direct(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int d = -RADIUS; d <= RADIUS; d++)
    if (i + d >= 0 && i + d < n) sum += weight[RADIUS + d] * in[i + d];
  out[i] = sum;
}

__global__ void tiled(const int* in, int* out, int n) {
  __shared__ int s[WIDTH];
  int first = blockIdx.x * BLOCK - RADIUS;  // the input that belongs into s[0]
  for (int k = threadIdx.x; k < WIDTH; k += BLOCK) {
    int i = first + k;
    s[k] = i >= 0 && i < n ? in[i] : 0;
  }
  __syncthreads();

  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k <= 2 * RADIUS; k++) sum += weight[k] * s[threadIdx.x + k];
  out[i] = sum;
}

int main() {
  std::vector<int> numbers(N), expected(N), result(N);
  int weights[2 * RADIUS + 1];
  for (int d = -RADIUS; d <= RADIUS; d++) weights[RADIUS + d] = RADIUS + 1 - (d < 0 ? -d : d);
  for (int i = 0; i < N; i++) numbers[i] = 7 * i % 10;
  for (int i = 0; i < N; i++)
    for (int d = -RADIUS; d <= RADIUS; d++)
      if (i + d >= 0 && i + d < N) expected[i] += weights[RADIUS + d] * numbers[i + d];

  int *in, *out;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weight, weights, sizeof weights);

  const int blocks = (N + BLOCK - 1) / BLOCK;
  if (TILED)
    tiled<<<blocks, BLOCK>>>(in, out, N);
  else
    direct<<<blocks, BLOCK>>>(in, out, N);

  cudaMemcpy(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += result[i] != expected[i];
  printf("%d numbers, radius %d, %d wrong\n", N, RADIUS, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong ? 1 : 0;
}
