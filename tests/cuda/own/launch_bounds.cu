#include <cstdio>

template <class A, class B>
struct Pair {
  static constexpr int threads = 64;
};
template <class A, class B>
__global__ void __launch_bounds__(Pair<A, B>::threads) of_template(int* out) {
  out[threadIdx.x] = 1;
}
__global__ __launch_bounds__(128, 2) void of_two(int* out) { out[threadIdx.x] = 1; }
__global__ __launch_bounds__(128, 2, 1) void of_three(int* out) { out[threadIdx.x] = 1; }

int main() {
  int* out;
  cudaMalloc(&out, 1024);
  of_two<<<1, 128>>>(out);
  of_three<<<1, 128>>>(out);
  of_template<int, float><<<1, 64>>>(out);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  of_template<int, float><<<1, 128>>>(out);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, of_two);
  printf("at most %d\n", attributes.maxThreadsPerBlock);
}
