// Counts how often each byte occurs in a text.
#include <cstdio>

const int N = 120, BLOCK = 64, BYTES = 256;

__global__ void count_bytes(const char* text, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[text[i]], 1);
}

int main() {
  const char words[] = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. ";
  char book[N], *text;
  int expected[BYTES] = {}, result[BYTES], wrong = 0, *counts;
  for (int i = 0; i < N; i++) {
    book[i] = words[i % (sizeof words - 1)];
    expected[(unsigned char)book[i]]++;
  }

  cudaMalloc(&text, N);
  cudaMalloc(&counts, sizeof result);
  cudaMemcpy(text, book, N, cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, sizeof result);
  count_bytes<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(text, counts, N);
  cudaMemcpy(result, counts, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(text);
  cudaFree(counts);

  for (int b = 0; b < BYTES; b++) wrong += result[b] != expected[b];
  printf("%d of %d counts are wrong\n", wrong, BYTES);
  return wrong ? 1 : 0;
}
