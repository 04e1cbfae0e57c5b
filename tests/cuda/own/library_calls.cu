// What is called of libraries that are not here is refused in its line, and nothing else.
#include <cublas_v2.h>
#include <cuda_fp8.h>
#include <curand_kernel.h>
#include <thrust/device_vector.h>
using namespace thrust;

__global__ void k(float* out) {
  __nv_fp8_e4m3 small;            // refused: numbers of 8 bits (__nv_fp8_e4m3)
  curandState state;              // refused: cuRAND (curandState)
  curand_init(1, 0, 0, &state);   // refused: cuRAND (curand_init)
}
int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);               // refused: cuBLAS (cublasCreate)
  thrust::device_vector<int> all(10);  // refused: Thrust (thrust::device_vector)
  k<<<1, 1>>>(nullptr);
}
