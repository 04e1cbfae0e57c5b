#include <cstdio>
#include <span>

template <class T>
concept Small = sizeof(T) <= 8;
template <Small T>
__global__ void fill(T* out) {
  out[threadIdx.x] = 1;
}
int main() {
  int *out, host[4];
  cudaMalloc(&out, 16);
  fill<<<1, 4>>>(out);
  cudaMemcpy(host, out, 16, cudaMemcpyDeviceToHost);
  cudaFree(out);
  printf("%d\n", std::span(host).back());
}
