// One kernel and its launch.
#include <cstdio>

const int n = 16;

__global__ void kernel(const int* in, int* out) {
  int i = threadIdx.x;
  out[i] = in[i];
}

int main() {
  int host[n], *in, *out;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  kernel<<<1, n>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int x : host) printf("%d ", x);
  printf("\n");
  cudaFree(in);
  cudaFree(out);
}
