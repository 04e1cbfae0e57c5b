// The sum of N floats, by one thread. The first number is 16777216, and above it a float holds even numbers
// only: what each addition rounds away must be kept.
#include <cmath>
#include <cstdio>
#include <vector>

const int N = 8, FIRST = 16777216, OTHERS = 3;

__global__ void add_up(const float* data, float* total, int n) {
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

  float *data, *total, result;
  cudaMalloc(&data, N * sizeof(float));
  cudaMalloc(&total, sizeof(float));
  cudaMemcpy(data, numbers.data(), N * sizeof(float), cudaMemcpyHostToDevice);

  add_up<<<1, 1>>>(data, total, N);

  cudaMemcpy(&result, total, sizeof(float), cudaMemcpyDeviceToHost);
  bool fine = std::fabs(result - exact) <= exact / (1 << 23);  // one last digit
  printf("exact %.0f, got %.0f\n", exact, result);
  cudaFree(data);
  cudaFree(total);
  return fine ? 0 : 1;
}
