// The same numbers, three sums. A __half has 11 binary digits, a float has 24 (HALF = false): from 2048 or
// from 16777216 on they hold even numbers only, so 2048 + 3 becomes 2052. One thread adds the numbers in
// order, a tree adds them in pairs, and Kahan's sum carries along what each addition has rounded away.
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <type_traits>
#include <vector>

const int N = 8, BLOCK = 8, OTHERS = 3;
const bool HALF = true;
const int DIGITS = HALF ? 11 : 24, FIRST = 1 << DIGITS;
static_assert((BLOCK & (BLOCK - 1)) == 0, "a tree halves the block");
static_assert(!HALF || FIRST + OTHERS * N < 45000, "the sum must fit a __half");
using Real = std::conditional_t<HALF, __half, float>;

__global__ void in_order(const Real* data, Real* total, int n) {
  Real sum = 0;
  for (int i = 0; i < n; i++) sum = sum + data[i];
  *total = sum;
}

__global__ void by_tree(const Real* data, Real* total, int n) {
  __shared__ Real s[BLOCK];
  int i = threadIdx.x;
  Real sum = 0;
  for (int k = i; k < n; k += BLOCK) sum = sum + data[k];
  s[i] = sum;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (i < half) s[i] = s[i] + s[i + half];
    __syncthreads();
  }
  if (i == 0) *total = s[0];
}

__global__ void kahan(const Real* data, Real* total, int n) {
  Real sum = 0, excess = 0;  // by how much the sum is too large
  for (int i = 0; i < n; i++) {
    Real x = data[i] - excess;
    Real next = sum + x;
    excess = (next - sum) - x;
    sum = next;
  }
  *total = sum;
}

int main() {
  std::vector<Real> numbers(N, Real(float(OTHERS)));
  numbers[0] = Real(float(FIRST));
  double exact = 0;
  for (Real x : numbers) exact += float(x);

  Real *data, *total, order, tree, compensated;
  cudaMalloc(&data, N * sizeof(Real));
  cudaMalloc(&total, sizeof(Real));
  cudaMemcpy(data, numbers.data(), N * sizeof(Real), cudaMemcpyHostToDevice);

  in_order<<<1, 1>>>(data, total, N);
  cudaMemcpy(&order, total, sizeof(Real), cudaMemcpyDeviceToHost);
  by_tree<<<1, BLOCK>>>(data, total, N);
  cudaMemcpy(&tree, total, sizeof(Real), cudaMemcpyDeviceToHost);
  kahan<<<1, 1>>>(data, total, N);
  cudaMemcpy(&compensated, total, sizeof(Real), cudaMemcpyDeviceToHost);

  printf("exact %.0f, in order %.0f, tree %.0f, Kahan %.0f\n", exact, float(order), float(tree),
         float(compensated));
  cudaFree(data);
  cudaFree(total);
  // Rounding adds at most half a last digit a time; Kahan's sum is off by one last digit at most.
  double digit = exact / (1 << (DIGITS - 1));
  bool fine = std::fabs(float(compensated) - exact) <= digit && std::fabs(float(tree) - exact) <= N * digit &&
              std::fabs(float(order) - exact) <= N * digit;
  return fine ? 0 : 1;
}
