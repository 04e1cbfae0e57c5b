// cuBLAS for float and double, what libbarrierscope_cuda.so does of it: levels 1 to 3, and the batched
// products; products of other numbers. Matrices lie column by column.
#pragma once

#include "data_types.h"
#include "host_types.h"

// What cublasGetStatusString says.
#define __BSCOPE_CUBLAS_STATUSES(M)                                                              \
  M(CUBLAS_STATUS_SUCCESS, "success")                                                            \
  M(CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized")                            \
  M(CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed")                                \
  M(CUBLAS_STATUS_INVALID_VALUE, "an unsupported value or parameter was passed to the function") \
  M(CUBLAS_STATUS_ARCH_MISMATCH,                                                                 \
    "the requested functionality requires a feature absent from the device architecture")        \
  M(CUBLAS_STATUS_MAPPING_ERROR, "an access to GPU memory space failed")                         \
  M(CUBLAS_STATUS_EXECUTION_FAILED, "the GPU program failed to execute")                         \
  M(CUBLAS_STATUS_INTERNAL_ERROR, "an internal operation failed")                                \
  M(CUBLAS_STATUS_NOT_SUPPORTED, "the functionality is not supported")

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16,
} cublasStatus_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3,
} cublasOperation_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2,
} cublasFillMode_t;
typedef enum {
  CUBLAS_DIAG_NON_UNIT = 0,
  CUBLAS_DIAG_UNIT = 1,
} cublasDiagType_t;
typedef enum {
  CUBLAS_SIDE_LEFT = 0,
  CUBLAS_SIDE_RIGHT = 1,
} cublasSideMode_t;
typedef enum {
  CUBLAS_POINTER_MODE_HOST = 0,
  CUBLAS_POINTER_MODE_DEVICE = 1,
} cublasPointerMode_t;
typedef enum {
  CUBLAS_ATOMICS_NOT_ALLOWED = 0,
  CUBLAS_ATOMICS_ALLOWED = 1,
} cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16,
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
} cublasComputeType_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
} cublasGemmAlgo_t;
typedef cublasStatus_t cublasStatus;
typedef struct cublasContext* cublasHandle_t;
struct __half;

extern "C" {
cublasStatus_t cublasCreate_v2(cublasHandle_t*);
cublasStatus_t cublasDestroy_v2(cublasHandle_t);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int*);
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetStream_v2(cublasHandle_t, cudaStream_t*);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t, cublasPointerMode_t*);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasGetMathMode(cublasHandle_t, cublasMath_t*);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void*, size_t);
const char* cublasGetStatusName(cublasStatus_t);
const char* cublasGetStatusString(cublasStatus_t);
cublasStatus_t cublasSetVector(int n, int bytes, const void* from, int step_from, void* to, int step_to);
cublasStatus_t cublasGetVector(int n, int bytes, const void* from, int step_from, void* to, int step_to);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* from, int ld_from, void* to,
                               int ld_to);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* from, int ld_from, void* to,
                               int ld_to);
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* from, int step_from, void* to, int step_to,
                                    cudaStream_t);
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* from, int step_from, void* to, int step_to,
                                    cudaStream_t);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void* from, int ld_from, void* to,
                                    int ld_to, cudaStream_t);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void* from, int ld_from, void* to,
                                    int ld_to, cudaStream_t);
cublasStatus_t cublasSaxpy_v2(cublasHandle_t, int n, const float* alpha, const float* x, int step_x, float* y,
                              int step_y);
cublasStatus_t cublasDaxpy_v2(cublasHandle_t, int n, const double* alpha, const double* x, int step_x,
                              double* y, int step_y);
cublasStatus_t cublasSscal_v2(cublasHandle_t, int n, const float* alpha, float* x, int step_x);
cublasStatus_t cublasDscal_v2(cublasHandle_t, int n, const double* alpha, double* x, int step_x);
cublasStatus_t cublasScopy_v2(cublasHandle_t, int n, const float* x, int step_x, float* y, int step_y);
cublasStatus_t cublasDcopy_v2(cublasHandle_t, int n, const double* x, int step_x, double* y, int step_y);
cublasStatus_t cublasSswap_v2(cublasHandle_t, int n, float* x, int step_x, float* y, int step_y);
cublasStatus_t cublasDswap_v2(cublasHandle_t, int n, double* x, int step_x, double* y, int step_y);
cublasStatus_t cublasSdot_v2(cublasHandle_t, int n, const float* x, int step_x, const float* y, int step_y,
                             float* result);
cublasStatus_t cublasDdot_v2(cublasHandle_t, int n, const double* x, int step_x, const double* y, int step_y,
                             double* result);
cublasStatus_t cublasSnrm2_v2(cublasHandle_t, int n, const float* x, int step_x, float* result);
cublasStatus_t cublasDnrm2_v2(cublasHandle_t, int n, const double* x, int step_x, double* result);
cublasStatus_t cublasSasum_v2(cublasHandle_t, int n, const float* x, int step_x, float* result);
cublasStatus_t cublasDasum_v2(cublasHandle_t, int n, const double* x, int step_x, double* result);
cublasStatus_t cublasSrot_v2(cublasHandle_t, int n, float* x, int step_x, float* y, int step_y,
                             const float* c, const float* s);
cublasStatus_t cublasDrot_v2(cublasHandle_t, int n, double* x, int step_x, double* y, int step_y,
                             const double* c, const double* s);
cublasStatus_t cublasSgemv_v2(cublasHandle_t, cublasOperation_t, int rows, int columns, const float* alpha,
                              const float* a, int lda, const float* x, int step_x, const float* beta,
                              float* y, int step_y);
cublasStatus_t cublasDgemv_v2(cublasHandle_t, cublasOperation_t, int rows, int columns, const double* alpha,
                              const double* a, int lda, const double* x, int step_x, const double* beta,
                              double* y, int step_y);
cublasStatus_t cublasSger_v2(cublasHandle_t, int rows, int columns, const float* alpha, const float* x,
                             int step_x, const float* y, int step_y, float* a, int lda);
cublasStatus_t cublasDger_v2(cublasHandle_t, int rows, int columns, const double* alpha, const double* x,
                             int step_x, const double* y, int step_y, double* a, int lda);
cublasStatus_t cublasSsymv_v2(cublasHandle_t, cublasFillMode_t, int n, const float* alpha, const float* a,
                              int lda, const float* x, int step_x, const float* beta, float* y, int step_y);
cublasStatus_t cublasDsymv_v2(cublasHandle_t, cublasFillMode_t, int n, const double* alpha, const double* a,
                              int lda, const double* x, int step_x, const double* beta, double* y,
                              int step_y);
cublasStatus_t cublasSsyr_v2(cublasHandle_t, cublasFillMode_t, int n, const float* alpha, const float* x,
                             int step_x, float* a, int lda);
cublasStatus_t cublasDsyr_v2(cublasHandle_t, cublasFillMode_t, int n, const double* alpha, const double* x,
                             int step_x, double* a, int lda);
cublasStatus_t cublasStrmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int n,
                              const float* a, int lda, float* x, int step_x);
cublasStatus_t cublasDtrmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int n,
                              const double* a, int lda, double* x, int step_x);
cublasStatus_t cublasStrsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int n,
                              const float* a, int lda, float* x, int step_x);
cublasStatus_t cublasDtrsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int n,
                              const double* a, int lda, double* x, int step_x);
cublasStatus_t cublasSgemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                              const float* alpha, const float* a, int lda, const float* b, int ldb,
                              const float* beta, float* c, int ldc);
cublasStatus_t cublasDgemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                              const double* alpha, const double* a, int lda, const double* b, int ldb,
                              const double* beta, double* c, int ldc);
cublasStatus_t cublasSsymm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int m, int n,
                              const float* alpha, const float* a, int lda, const float* b, int ldb,
                              const float* beta, float* c, int ldc);
cublasStatus_t cublasDsymm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int m, int n,
                              const double* alpha, const double* a, int lda, const double* b, int ldb,
                              const double* beta, double* c, int ldc);
cublasStatus_t cublasSsyrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n, int k,
                              const float* alpha, const float* a, int lda, const float* beta, float* c,
                              int ldc);
cublasStatus_t cublasDsyrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n, int k,
                              const double* alpha, const double* a, int lda, const double* beta, double* c,
                              int ldc);
cublasStatus_t cublasStrmm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                              cublasDiagType_t, int m, int n, const float* alpha, const float* a, int lda,
                              const float* b, int ldb, float* c, int ldc);
cublasStatus_t cublasDtrmm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                              cublasDiagType_t, int m, int n, const double* alpha, const double* a, int lda,
                              const double* b, int ldb, double* c, int ldc);
cublasStatus_t cublasStrsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                              cublasDiagType_t, int m, int n, const float* alpha, const float* a, int lda,
                              float* b, int ldb);
cublasStatus_t cublasDtrsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
                              cublasDiagType_t, int m, int n, const double* alpha, const double* a, int lda,
                              double* b, int ldb);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                                         int k, const float* alpha, const float* a, int lda,
                                         long long stride_a, const float* b, int ldb, long long stride_b,
                                         const float* beta, float* c, int ldc, long long stride_c, int count);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                                         int k, const double* alpha, const double* a, int lda,
                                         long long stride_a, const double* b, int ldb, long long stride_b,
                                         const double* beta, double* c, int ldc, long long stride_c,
                                         int count);
cublasStatus_t cublasSgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                  const float* alpha, const float* const* a, int lda, const float* const* b,
                                  int ldb, const float* beta, float* const* c, int ldc, int count);
cublasStatus_t cublasDgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                  const double* alpha, const double* const* a, int lda,
                                  const double* const* b, int ldb, const double* beta, double* const* c,
                                  int ldc, int count);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c, cudaDataType type_c,
                            int ldc, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                                          int k, const void* alpha, const void* a, cudaDataType type_a,
                                          int lda, long long stride_a, const void* b, cudaDataType type_b,
                                          int ldb, long long stride_b, const void* beta, void* c,
                                          cudaDataType type_c, int ldc, long long stride_c, int count,
                                          cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                   const void* alpha, const void* const* a, cudaDataType type_a, int lda,
                                   const void* const* b, cudaDataType type_b, int ldb, const void* beta,
                                   void* const* c, cudaDataType type_c, int ldc, int count,
                                   cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasSgemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                             const float* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                             cudaDataType type_b, int ldb, const float* beta, void* c, cudaDataType type_c,
                             int ldc);
cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                           const __half* alpha, const __half* a, int lda, const __half* b, int ldb,
                           const __half* beta, __half* c, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                                         int k, const __half* alpha, const __half* a, int lda,
                                         long long stride_a, const __half* b, int ldb, long long stride_b,
                                         const __half* beta, __half* c, int ldc, long long stride_c,
                                         int count);
cublasStatus_t cublasHgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,
                                  const __half* alpha, const __half* const* a, int lda,
                                  const __half* const* b, int ldb, const __half* beta, __half* const* c,
                                  int ldc, int count);
cublasStatus_t cublasSgeam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                           const float* alpha, const float* a, int lda, const float* beta, const float* b,
                           int ldb, float* c, int ldc);
cublasStatus_t cublasDgeam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                           const double* alpha, const double* a, int lda, const double* beta, const double* b,
                           int ldb, double* c, int ldc);
cublasStatus_t cublasSdgmm(cublasHandle_t, cublasSideMode_t, int m, int n, const float* a, int lda,
                           const float* x, int step_x, float* c, int ldc);
cublasStatus_t cublasDdgmm(cublasHandle_t, cublasSideMode_t, int m, int n, const double* a, int lda,
                           const double* x, int step_x, double* c, int ldc);
cublasStatus_t cublasIsamax_v2(cublasHandle_t, int n, const float* x, int step_x, int* result);
cublasStatus_t cublasIdamax_v2(cublasHandle_t, int n, const double* x, int step_x, int* result);
cublasStatus_t cublasIsamin_v2(cublasHandle_t, int n, const float* x, int step_x, int* result);
cublasStatus_t cublasIdamin_v2(cublasHandle_t, int n, const double* x, int step_x, int* result);
}
