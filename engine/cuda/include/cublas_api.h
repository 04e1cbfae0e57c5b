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
  M(cublasGemmEx) M(cublasSgemmEx) M(cublasHgemm) M(cublasCgemm) M(cublasZgemm) M(cublasGemmBatchedEx) \
  M(cublasGemmStridedBatchedEx) M(cublasHgemmBatched) M(cublasHgemmStridedBatched) M(cublasCaxpy) M(cublasZaxpy) \
  M(cublasCdotc) M(cublasCdotu) M(cublasZdotc) M(cublasScnrm2) M(cublasDznrm2) M(cublasCscal) M(cublasZscal) \
  M(cublasCgemv) M(cublasZgemv) M(cublasAxpyEx) M(cublasDotEx) M(cublasNrm2Ex) M(cublasScalEx) \
  M(cublasSgetrfBatched) M(cublasDgetrfBatched) M(cublasSgetriBatched) M(cublasDgetriBatched) \
  M(cublasSgetrsBatched) M(cublasDgetrsBatched) M(cublasSmatinvBatched) M(cublasDmatinvBatched) \
  M(cublasSgeqrfBatched) M(cublasStrsmBatched) M(cublasDtrsmBatched) M(cublasSrotg) M(cublasDrotg) M(cublasSrotm) \
  M(cublasDrotm) M(cublasSgbmv) M(cublasDgbmv) M(cublasSsbmv) M(cublasSspmv) M(cublasSsyr2) M(cublasDsyr2) \
  M(cublasSsyr2k) M(cublasDsyr2k) M(cublasStpmv) M(cublasStbmv) M(cublasLoggerConfigure) M(cublasGetProperty)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuBLAS", cublasStatus_t, name)
__BSCOPE_NOT_CUBLAS(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUBLAS
