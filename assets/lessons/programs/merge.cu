// Two sorted arrays are merged. Output k takes the smallest k values of both: a of them from the first array,
// k - a from the second. Each thread finds its a by halving, and then merges ITEMS outputs alone (TILED =
// false). Tiled: a block finds the inputs of its tile and loads them, and its threads search in there.
#include <algorithm>
#include <cstdio>
#include <vector>

const int A = 13, B = 11, BLOCK = 4, ITEMS = 2, TILE = BLOCK * ITEMS;
const bool TILED = true;

// How many of the smallest k values are in a. Of equal values those of a come first.
__device__ int split(const int* a, int a_size, const int* b, int b_size, int k) {
  int low = max(0, k - b_size), high = min(k, a_size);
  while (low < high) {
    int middle = (low + high) / 2;
    if (a[middle] <= b[k - middle - 1])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
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

__global__ void merge_tiles(const int* a, const int* b, int* out, int a_size, int b_size) {
  __shared__ int border[2], s[TILE], merged[TILE];
  int n = a_size + b_size, first = blockIdx.x * TILE, count = min(TILE, n - first), t = threadIdx.x;
  if (t < 2) border[t] = split(a, a_size, b, b_size, first + t * count);
  __syncthreads();

  int a_first = border[0], a_count = border[1] - a_first;
  int b_first = first - a_first, b_count = count - a_count;
  for (int k = t; k < count; k += BLOCK) s[k] = k < a_count ? a[a_first + k] : b[b_first + k - a_count];
  __syncthreads();

  int k = t * ITEMS;
  if (k < count) {
    int i = split(s, a_count, s + a_count, b_count, k), j = k - i;
    merge_serially(s + i, a_count - i, s + a_count + j, b_count - j, merged + k, min(ITEMS, count - k));
  }
  __syncthreads();
  for (int k = t; k < count; k += BLOCK) out[first + k] = merged[k];
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

  if (TILED)
    merge_tiles<<<blocks, BLOCK>>>(a, b, out, A, B);
  else
    merge<<<blocks, BLOCK>>>(a, b, out, A, B);

  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d and %d numbers merged: %s\n", A, B, result == expected ? "right" : "wrong");
  cudaFree(a);
  cudaFree(b);
  cudaFree(out);
  return result == expected ? 0 : 1;
}
