// sonots/cumo#174
#include <cstdio>

__global__ void count_down(int* out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = n - i;
}

int main() {
  const int n = 32;
  int *out, wrong = 0;
  cudaMalloc(&out, n * sizeof(int));
  count_down<<<1, n>>>(out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) wrong += out[i] != n - i;
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
