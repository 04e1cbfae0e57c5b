// A convolution: each output is the weighted sum of the inputs up to RADIUS places away, zeros beyond the
// ends. A block reads its inputs once, into shared memory.
#include <cstdio>
#include <vector>

const int N = 64, BLOCK = 32, RADIUS = 2, WIDTH = BLOCK + 2 * RADIUS;

__global__ void convolve(const int* in, int* out, int n) {
  __shared__ int s[WIDTH];
  int first = blockIdx.x * BLOCK - RADIUS;  // the input that belongs into s[0]
  for (int k = threadIdx.x; k < WIDTH; k += BLOCK) {
    int i = first + k;
    s[k] = i >= 0 && i < n ? in[i] : 0;
  }
  __syncthreads();

  int i = blockIdx.x * BLOCK + threadIdx.x, sum = 0;
  for (int d = -RADIUS; d <= RADIUS; d++) sum += (RADIUS + 1 - abs(d)) * s[threadIdx.x + RADIUS + d];
  if (i < n) out[i] = sum;
}

int main() {
  std::vector<int> numbers(N), expected(N), result(N);
  for (int i = 0; i < N; i++) numbers[i] = 7 * i % 10 + 1;
  for (int i = 0; i < N; i++)
    for (int d = -RADIUS; d <= RADIUS; d++)
      if (i + d >= 0 && i + d < N) expected[i] += (RADIUS + 1 - (d < 0 ? -d : d)) * numbers[i + d];

  int *in, *out;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, N * sizeof(int));
  cudaMemcpy(in, numbers.data(), N * sizeof(int), cudaMemcpyHostToDevice);

  convolve<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, N);

  cudaMemcpy(result.data(), out, N * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += result[i] != expected[i];
  printf("%d numbers, %d wrong\n", N, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong ? 1 : 0;
}
