#include <cstdio>
#include "maths.cuh"

static __device__ int helper(int value) { return value * 10; }

__global__ void apply(int* out) {
  const int t = threadIdx.x;
  out[t] = with_offset(t) + twice(helper(t));
}

int main() {
  const int values[4] = {100, 200, 300, 400};
  set_offsets(values);
  int *out, host[8], count = 0;
  cudaMalloc(&out, sizeof host);
  apply<<<1, 8>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&count, calls, sizeof count);
  for (int v : host) printf("%d ", v);
  printf("after %d calls\n", count);
  cudaFree(out);
  return 0;
}
