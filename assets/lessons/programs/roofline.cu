// Two kernels with the same traffic and different amounts of arithmetic. Both load each number once and store
// one result for it. The first makes a single multiply-add with the number, the second one for each of TERMS
// coefficients of a polynomial.
#include <cstdio>
#include <vector>

const int N = 64, BLOCK = 32, TERMS = 16;

__constant__ float coefficient[TERMS];

__global__ void line(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i] + 1;
}

// Horner: (((c0 x + c1) x + c2) x + ...
__global__ void polynomial(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], sum = 0;
  for (int k = 0; k < TERMS; k++) sum = sum * x + coefficient[k];
  out[i] = sum;
}

int main() {
  // Small whole numbers: every product and sum is exact.
  std::vector<float> numbers(N), lines(N), polynomials(N), coefficients(TERMS);
  for (int i = 0; i < N; i++) numbers[i] = i % 3 - 1;
  for (int k = 0; k < TERMS; k++) coefficients[k] = k % 5;

  float *in, *out;
  cudaMalloc(&in, N * sizeof(float));
  cudaMalloc(&out, N * sizeof(float));
  cudaMemcpy(in, numbers.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(coefficient, coefficients.data(), TERMS * sizeof(float));

  const int blocks = (N + BLOCK - 1) / BLOCK;
  line<<<blocks, BLOCK>>>(in, out, N);
  cudaMemcpy(lines.data(), out, N * sizeof(float), cudaMemcpyDeviceToHost);
  polynomial<<<blocks, BLOCK>>>(in, out, N);
  cudaMemcpy(polynomials.data(), out, N * sizeof(float), cudaMemcpyDeviceToHost);

  int wrong = 0;
  for (int i = 0; i < N; i++) {
    float sum = 0;
    for (int k = 0; k < TERMS; k++) sum = sum * numbers[i] + coefficients[k];
    wrong += lines[i] != 2 * numbers[i] + 1 || polynomials[i] != sum;
  }
  printf("%d numbers, %d terms, %d wrong\n", N, TERMS, wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong ? 1 : 0;
}
