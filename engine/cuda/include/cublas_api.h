// cuBLAS: what barrierscope/cublas_functions.h has is computed; what else is declared here ends the program
// where it is called.
#pragma once
#define CUBLAS_API_H_
#include "barrierscope/cublas_functions.h"
#include "barrierscope/library.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"

#define CUBLAS_VERSION 120000
#define CUBLAS_VER_MAJOR 12
// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CUBLAS(M) \
  M(cublasCgemm) M(cublasZgemm) M(cublasCaxpy) M(cublasZaxpy) M(cublasCdotc) M(cublasCdotu) M(cublasZdotc) \
  M(cublasScnrm2) M(cublasDznrm2) M(cublasCscal) M(cublasZscal) M(cublasCgemv) M(cublasZgemv) M(cublasAxpyEx) \
  M(cublasDotEx) M(cublasNrm2Ex) M(cublasScalEx) M(cublasSgetrfBatched) M(cublasDgetrfBatched) \
  M(cublasSgetriBatched) M(cublasDgetriBatched) M(cublasSgetrsBatched) M(cublasDgetrsBatched) \
  M(cublasSmatinvBatched) M(cublasDmatinvBatched) M(cublasSgeqrfBatched) M(cublasStrsmBatched) M(cublasDtrsmBatched) \
  M(cublasSrotg) M(cublasDrotg) M(cublasSrotm) M(cublasDrotm) M(cublasSgbmv) M(cublasDgbmv) M(cublasSsbmv) \
  M(cublasSspmv) M(cublasSsyr2) M(cublasDsyr2) M(cublasSsyr2k) M(cublasDsyr2k) M(cublasStpmv) M(cublasStbmv) \
  M(cublasLoggerConfigure) M(cublasGetProperty)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuBLAS", cublasStatus_t, name)
__BSCOPE_NOT_CUBLAS(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUBLAS

// Until cuBLAS 11 the type of the sums stood where the kind of computation stands now.
static inline cublasComputeType_t __bscope_compute_type(cudaDataType sums) {
  return sums == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
         : sums == CUDA_R_64F ? CUBLAS_COMPUTE_64F
         : sums == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                              : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType type_a, int lda, const void* b,
                                          cudaDataType type_b, int ldb, const void* beta, void* c,
                                          cudaDataType type_c, int ldc, cudaDataType sums,
                                          cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c,
                      ldc, __bscope_compute_type(sums), algorithm);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType type_a, int lda, long long stride_a, const void* b,
    cudaDataType type_b, int ldb, long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
    long long stride_c, int count, cudaDataType sums, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, stride_a, b, type_b,
                                    ldb, stride_b, beta, c, type_c, ldc, stride_c, count,
                                    __bscope_compute_type(sums), algorithm);
}
