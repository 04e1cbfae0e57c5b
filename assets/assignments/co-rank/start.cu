// Two sorted arrays are merged. Output k takes the smallest k values of both: so many of them from a as
// split() says, and the rest from b. Each thread writes ITEMS outputs.
#include <algorithm>
#include <cstdio>
#include <vector>

const int A = 40, B = 24, BLOCK = 32, ITEMS = 2, TILE = BLOCK * ITEMS;

// How many of the smallest k values are in a. Of equal values those of a come first.
__device__ int split(const int* a, int a_size, const int* b, int b_size, int k) {
  int from_a = 0;
  for (int taken = 0; taken < k; taken++) {
    int from_b = taken - from_a;
    if (from_a < a_size && (from_b >= b_size || a[from_a] <= b[from_b])) from_a++;
  }
  return from_a;
}

__device__ void merge_serially(const int* a, int a_size, const int* b, int b_size, int* out, int count) {
  int i = 0, j = 0;
  for (int k = 0; k < count; k++) {
    bool from_a = i < a_size && (j >= b_size || a[i] <= b[j]);
    out[k] = from_a ? a[i++] : b[j++];
  }
}

__global__ void merge(const int* a, const int* b, int* out, int a_size, int b_size) {
  int n = a_size + b_size, k = (blockIdx.x * BLOCK + threadIdx.x) * ITEMS;
  if (k >= n) return;
  int i = split(a, a_size, b, b_size, k), j = k - i;
  merge_serially(a + i, a_size - i, b + j, b_size - j, out + k, min(ITEMS, n - k));
}

int main() {
  const int n = A + B, blocks = (n + TILE - 1) / TILE;
  std::vector<int> left(A), right(B), expected(n), result(n);
  for (int i = 0; i < A; i++) left[i] = 3 * i + i % 3;
  for (int i = 0; i < B; i++) right[i] = 5 * i / 2 + 1;
  std::merge(left.begin(), left.end(), right.begin(), right.end(), expected.begin());

  int *a, *b, *out;
  cudaMalloc(&a, A * sizeof(int));
  cudaMalloc(&b, B * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(a, left.data(), A * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(b, right.data(), B * sizeof(int), cudaMemcpyHostToDevice);

  merge<<<blocks, BLOCK>>>(a, b, out, A, B);

  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d and %d numbers merged: %s\n", A, B, result == expected ? "right" : "wrong");
  cudaFree(a);
  cudaFree(b);
  cudaFree(out);
  return result == expected ? 0 : 1;
}
