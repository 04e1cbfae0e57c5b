// Of each number x this computes the square of 2x + 1.
#include <cstdio>
#include <vector>

const int N = 256, BLOCK = 64, BLOCKS = (N + BLOCK - 1) / BLOCK;

__global__ void line(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i] + 1;
}

__global__ void square(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float y = 2 * in[i] + 1;
    out[i] = y * y;
  }
}

// From in to out; between has room for N numbers.
void run(const float* in, float* /*between*/, float* out, int n) { square<<<BLOCKS, BLOCK>>>(in, out, n); }

int main() {
  std::vector<float> numbers(N), result(N);
  for (int i = 0; i < N; i++) numbers[i] = i % 10;

  float *in, *between, *out;
  cudaMalloc(&in, N * sizeof(float));
  cudaMalloc(&between, N * sizeof(float));
  cudaMalloc(&out, N * sizeof(float));
  cudaMemcpy(in, numbers.data(), N * sizeof(float), cudaMemcpyHostToDevice);

  run(in, between, out, N);

  cudaMemcpy(result.data(), out, N * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += result[i] != (2 * numbers[i] + 1) * (2 * numbers[i] + 1);
  printf("%d numbers, %d wrong\n", N, wrong);
  cudaFree(in);
  cudaFree(between);
  cudaFree(out);
  return wrong ? 1 : 0;
}
