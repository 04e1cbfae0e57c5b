// cuBLAS without handles, as it was until CUDA 4: over one handle for the whole program. A program that has
// included cublas_v2.h before has that.
#pragma once
#ifdef CUBLAS_V2_H_
#include "cublas_api.h"
#else
#define CUBLAS_H_
#include "cublas_api.h"

static inline cublasHandle_t __bscope_cublas() {
  static cublasHandle_t handle = 0;
  if (!handle) cublasCreate_v2(&handle);
  return handle;
}
static inline cublasStatus_t& __bscope_cublas_status() {
  static cublasStatus_t latest = CUBLAS_STATUS_SUCCESS;
  return latest;
}
static inline cublasOperation_t __bscope_op(char op) {
  return op == 'N' || op == 'n' ? CUBLAS_OP_N : op == 'T' || op == 't' ? CUBLAS_OP_T : CUBLAS_OP_C;
}
static inline cublasStatus_t cublasInit() {
  return __bscope_cublas() ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
static inline cublasStatus_t cublasShutdown() { return CUBLAS_STATUS_SUCCESS; }
static inline cublasStatus_t cublasGetError() {
  cublasStatus_t status = __bscope_cublas_status();
  __bscope_cublas_status() = CUBLAS_STATUS_SUCCESS;
  return status;
}
static inline cublasStatus_t cublasAlloc(int n, int bytes, void** memory) {
  return ::cudaMalloc(memory, (size_t)n * (size_t)bytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                        : CUBLAS_STATUS_ALLOC_FAILED;
}
static inline cublasStatus_t cublasFree(void* memory) {
  return cudaFree(memory) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
#define __BSCOPE_LEGACY(S, i, T)                                                                             \
  static inline void cublas##S##axpy(int n, T alpha, const T* x, int step_x, T* y, int step_y) {             \
    __bscope_cublas_status() = cublas##S##axpy_v2(__bscope_cublas(), n, &alpha, x, step_x, y, step_y);       \
  }                                                                                                          \
  static inline void cublas##S##scal(int n, T alpha, T* x, int step) {                                       \
    __bscope_cublas_status() = cublas##S##scal_v2(__bscope_cublas(), n, &alpha, x, step);                    \
  }                                                                                                          \
  static inline void cublas##S##copy(int n, const T* x, int step_x, T* y, int step_y) {                      \
    __bscope_cublas_status() = cublas##S##copy_v2(__bscope_cublas(), n, x, step_x, y, step_y);               \
  }                                                                                                          \
  static inline void cublas##S##swap(int n, T* x, int step_x, T* y, int step_y) {                            \
    __bscope_cublas_status() = cublas##S##swap_v2(__bscope_cublas(), n, x, step_x, y, step_y);               \
  }                                                                                                          \
  static inline T cublas##S##dot(int n, const T* x, int step_x, const T* y, int step_y) {                    \
    T result = 0;                                                                                            \
    __bscope_cublas_status() = cublas##S##dot_v2(__bscope_cublas(), n, x, step_x, y, step_y, &result);       \
    return result;                                                                                           \
  }                                                                                                          \
  static inline T cublas##S##nrm2(int n, const T* x, int step) {                                             \
    T result = 0;                                                                                            \
    __bscope_cublas_status() = cublas##S##nrm2_v2(__bscope_cublas(), n, x, step, &result);                   \
    return result;                                                                                           \
  }                                                                                                          \
  static inline T cublas##S##asum(int n, const T* x, int step) {                                             \
    T result = 0;                                                                                            \
    __bscope_cublas_status() = cublas##S##asum_v2(__bscope_cublas(), n, x, step, &result);                   \
    return result;                                                                                           \
  }                                                                                                          \
  static inline int cublasI##i##amax(int n, const T* x, int step) {                                          \
    int result = 0;                                                                                          \
    __bscope_cublas_status() = cublasI##i##amax_v2(__bscope_cublas(), n, x, step, &result);                  \
    return result;                                                                                           \
  }                                                                                                          \
  static inline int cublasI##i##amin(int n, const T* x, int step) {                                          \
    int result = 0;                                                                                          \
    __bscope_cublas_status() = cublasI##i##amin_v2(__bscope_cublas(), n, x, step, &result);                  \
    return result;                                                                                           \
  }                                                                                                          \
  static inline void cublas##S##gemv(char op, int rows, int columns, T alpha, const T* a, int lda,           \
                                     const T* x, int step_x, T beta, T* y, int step_y) {                     \
    __bscope_cublas_status() = cublas##S##gemv_v2(__bscope_cublas(), __bscope_op(op), rows, columns, &alpha, \
                                                  a, lda, x, step_x, &beta, y, step_y);                      \
  }                                                                                                          \
  static inline void cublas##S##gemm(char op_a, char op_b, int m, int n, int k, T alpha, const T* a,         \
                                     int lda, const T* b, int ldb, T beta, T* c, int ldc) {                  \
    __bscope_cublas_status() = cublas##S##gemm_v2(__bscope_cublas(), __bscope_op(op_a), __bscope_op(op_b),   \
                                                  m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);           \
  }
__BSCOPE_LEGACY(S, s, float)
__BSCOPE_LEGACY(D, d, double)
#undef __BSCOPE_LEGACY
#endif
