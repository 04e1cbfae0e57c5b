// The same numbers, three sums. A float has 24 binary digits: above 16777216 it holds even numbers only, so
// 16777216 + 3 becomes 16777220. One thread adds the numbers in order, a tree adds them in pairs, and Kahan's
// sum carries along what each addition has rounded away.
#include <cmath>
#include <cstdio>
#include <vector>

const int N = 8, BLOCK = 8, FIRST = 16777216, OTHERS = 3;

__global__ void in_order(const float* data, float* total, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += data[i];
  *total = sum;
}

__global__ void by_tree(const float* data, float* total, int n) {
  __shared__ float s[BLOCK];
  int i = threadIdx.x;
  float sum = 0;
  for (int k = i; k < n; k += BLOCK) sum += data[k];
  s[i] = sum;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (i < half) s[i] += s[i + half];
    __syncthreads();
  }
  if (i == 0) *total = s[0];
}

__global__ void kahan(const float* data, float* total, int n) {
  float sum = 0, excess = 0;  // by how much the sum is too large
  for (int i = 0; i < n; i++) {
    float x = data[i] - excess;
    float next = sum + x;
    excess = (next - sum) - x;
    sum = next;
  }
  *total = sum;
}

int main() {
  std::vector<float> numbers(N, OTHERS);
  numbers[0] = FIRST;
  double exact = 0;
  for (float x : numbers) exact += x;

  float *data, *total, order, tree, compensated;
  cudaMalloc(&data, N * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMemcpy(data, numbers.data(), N * sizeof(float), cudaMemcpyHostToDevice);

  in_order<<<1, 1>>>(data, total, N);
  cudaMemcpy(&order, total, sizeof(float), cudaMemcpyDeviceToHost);
  by_tree<<<1, BLOCK>>>(data, total, N);
  cudaMemcpy(&tree, total, sizeof(float), cudaMemcpyDeviceToHost);
  kahan<<<1, 1>>>(data, total, N);
  cudaMemcpy(&compensated, total, sizeof(float), cudaMemcpyDeviceToHost);

  printf("exact    %.0f\nin order %.0f\ntree     %.0f\nKahan    %.0f\n", exact, order, tree, compensated);
  cudaFree(data);
  cudaFree(total);
  // Rounding adds at most half a last digit a time; Kahan's sum is off by one last digit at most.
  double digit = exact / (1 << 23);
  bool fine = std::fabs(compensated - exact) <= digit && std::fabs(tree - exact) <= N * digit &&
              std::fabs(order - exact) <= N * digit;
  return fine ? 0 : 1;
}
