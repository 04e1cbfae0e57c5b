// Headers of libraries that are not here, with what helper headers name of them; nothing is called.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cudnn.h>
#include <cufft.h>
#include <curand.h>
#include <curand_kernel.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <mma.h>
#include <nccl.h>
#include <npp.h>
#include <nvToolsExt.h>
#include <nvml.h>
#include <nvrtc.h>
#include <thrust/device_vector.h>

#include <cstdio>
#include <cub/cub.cuh>
#include <cuda/atomic>

#ifdef CUBLAS_API_H_
const char* name_of(cublasStatus_t e) {
  return e == CUBLAS_STATUS_NOT_INITIALIZED ? "not initialized" : "other";
}
#endif
#ifdef _CUFFT_H_
const char* name_of(cufftResult e) { return e == CUFFT_INVALID_PLAN ? "invalid plan" : "other"; }
#endif
#ifdef CUSPARSEAPI
const char* name_of(cusparseStatus_t e) { return e == CUSPARSE_STATUS_SUCCESS ? "success" : "other"; }
#endif
#ifdef CUSOLVER_COMMON_H_
const char* name_of(cusolverStatus_t e) { return e == CUSOLVER_STATUS_SUCCESS ? "success" : "other"; }
#endif
#ifdef CURAND_H_
const char* name_of(curandStatus_t e) { return e == CURAND_STATUS_SUCCESS ? "success" : "other"; }
#endif
#define CHECK_CUBLAS(call) \
  if ((call) != CUBLAS_STATUS_SUCCESS) printf("%s\n", cublasGetStatusString(call));

__global__ void k(int* out) { out[threadIdx.x] = 1; }
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  printf("%s, %s\n", name_of(CUBLAS_STATUS_NOT_INITIALIZED), name_of(CUFFT_INVALID_PLAN));
}
