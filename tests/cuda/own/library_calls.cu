// What is called of libraries that are not here is refused in its line, and nothing else.
#include <cublas_v2.h>
#include <cuda_fp8.h>
#include <cufft.h>

__global__ void k() {
  __nv_fp8_e8m0 small;  // refused: scales of 8 bits (__nv_fp8_e8m0)
}
int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasUnknown(handle);  // refused: cuBLAS (cublasUnknown)
  cufftUnknown(0);        // refused: cuFFT (cufftUnknown)
  k<<<1, 1>>>();
}
