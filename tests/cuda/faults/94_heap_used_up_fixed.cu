// owl-project/owl#151
#include <cstdio>

__global__ void sort_pairs(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* mine = (int*)malloc(2 * sizeof(int));
  mine[0] = min(in[2 * i], in[2 * i + 1]);
  mine[1] = max(in[2 * i], in[2 * i + 1]);
  out[2 * i] = mine[0];
  out[2 * i + 1] = mine[1];
  free(mine);
}

int main() {
  const int n = 128;
  int in[2 * n], out[2 * n], *d_in, *d_out, wrong = 0;
  for (int i = 0; i < 2 * n; ++i) in[i] = i * 7 % 13;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  sort_pairs<<<2, 64>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    wrong += out[2 * i] > out[2 * i + 1] || out[2 * i] + out[2 * i + 1] != in[2 * i] + in[2 * i + 1];
  printf("%d are wrong\n", wrong);
  return wrong != 0;
}
