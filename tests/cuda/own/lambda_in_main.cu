// Kernels of lambdas that a main() with arguments defines.
#include <cstdio>

template <class F>
__global__ void apply(int* out, F f, F again) {
  out[threadIdx.x] = f(threadIdx.x) + again(0);
}
template <class F>
__global__ void apply(F f, char** unused, int* out) {
  out[threadIdx.x] = f(threadIdx.x);
}

int main(int argc, char** argv) {
  int *out, host[32];
  cudaMalloc(&out, sizeof host);
  auto twice = [=] __device__(int i) { return 2 * i + argc; };
  apply<<<1, 32>>>(out, twice, twice);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[1], host[31]);
  apply<<<1, 32>>>([] __host__ __device__(int i) { return i * i; }, argv, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[1], host[31]);
  cudaFree(out);
  return host[31] != 961;
}
