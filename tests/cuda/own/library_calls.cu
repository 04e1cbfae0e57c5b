// What is called of libraries that are not here is refused in its line, and nothing else.
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cufft.h>
#include <thrust/device_vector.h>
using namespace thrust;

__global__ void k(float* out) {
  out[0] = __half2float(out[0]);  // refused: half precision (__half2float)
}
int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasUnknown(handle);               // refused: cuBLAS (cublasUnknown)
  cufftUnknown(0);                     // refused: cuFFT (cufftUnknown)
  thrust::device_vector<int> all(10);  // refused: Thrust (thrust::device_vector)
  k<<<1, 1>>>(nullptr);
}
