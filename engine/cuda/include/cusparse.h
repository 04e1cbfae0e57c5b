// cuSPARSE: its types and numbers. What a program calls of it ends the program there.
#pragma once
#define CUSPARSEAPI
#include "barrierscope/library.h"
#include "cuda_runtime.h"
#include "library_types.h"

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11,
} cusparseStatus_t;
typedef struct cusparseContext* cusparseHandle_t;
typedef struct cusparseMatDescr* cusparseMatDescr_t;
typedef struct cusparseSpVecDescr* cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr* cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr* cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr* cusparseDnMatDescr_t;
typedef const struct cusparseSpMatDescr* cusparseConstSpMatDescr_t;
typedef const struct cusparseDnVecDescr* cusparseConstDnVecDescr_t;
typedef const struct cusparseDnMatDescr* cusparseConstDnMatDescr_t;
typedef struct cusparseSpGEMMDescr* cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr* cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr* cusparseSpSMDescr_t;
typedef struct csrilu02Info* csrilu02Info_t;
typedef struct csric02Info* csric02Info_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3,
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2,
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum {
  CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
  CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
} cusparseSolvePolicy_t;
typedef enum {
  CUSPARSE_FORMAT_CSR = 1,
  CUSPARSE_FORMAT_CSC = 2,
  CUSPARSE_FORMAT_COO = 3,
  CUSPARSE_FORMAT_BLOCKED_ELL = 5
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_MV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_CSRMV_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4,
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_CSR_ALG2 = 6
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPGEMM_DEFAULT = 0 } cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CUSPARSE(M) \
  M(cusparseCreate) M(cusparseDestroy) M(cusparseGetVersion) M(cusparseSetStream) M(cusparseGetStream) \
  M(cusparseSetPointerMode) M(cusparseGetPointerMode) M(cusparseCreateMatDescr) M(cusparseDestroyMatDescr) \
  M(cusparseSetMatType) M(cusparseGetMatType) M(cusparseSetMatIndexBase) M(cusparseGetMatIndexBase) \
  M(cusparseSetMatFillMode) M(cusparseSetMatDiagType) M(cusparseCreateSpVec) M(cusparseDestroySpVec) \
  M(cusparseCreateDnVec) M(cusparseDestroyDnVec) M(cusparseDnVecSetValues) M(cusparseDnVecGetValues) \
  M(cusparseCreateCoo) M(cusparseCreateCsr) M(cusparseCreateConstCsr) M(cusparseCreateCsc) \
  M(cusparseCreateBlockedEll) M(cusparseDestroySpMat) M(cusparseSpMatGetSize) M(cusparseSpMatSetAttribute) \
  M(cusparseCsrSetPointers) M(cusparseSpMatGetValues) M(cusparseSpMatSetValues) M(cusparseCreateDnMat) \
  M(cusparseDestroyDnMat) M(cusparseAxpby) M(cusparseGather) M(cusparseScatter) M(cusparseRot) M(cusparseSpVV) \
  M(cusparseSpVV_bufferSize) M(cusparseSpMV) M(cusparseSpMV_bufferSize) M(cusparseSpMV_preprocess) \
  M(cusparseSpMM) M(cusparseSpMM_bufferSize) M(cusparseSpMM_preprocess) M(cusparseSpGEMM_createDescr) \
  M(cusparseSpGEMM_destroyDescr) M(cusparseSpGEMM_workEstimation) M(cusparseSpGEMM_compute) \
  M(cusparseSpGEMM_copy) M(cusparseSpSV_createDescr) M(cusparseSpSV_destroyDescr) M(cusparseSpSV_bufferSize) \
  M(cusparseSpSV_analysis) M(cusparseSpSV_solve) M(cusparseSpSM_createDescr) M(cusparseSpSM_destroyDescr) \
  M(cusparseSpSM_bufferSize) M(cusparseSpSM_analysis) M(cusparseSpSM_solve) M(cusparseSDDMM) \
  M(cusparseSDDMM_bufferSize) M(cusparseSparseToDense) M(cusparseSparseToDense_bufferSize) \
  M(cusparseDenseToSparse_bufferSize) M(cusparseDenseToSparse_analysis) M(cusparseDenseToSparse_convert) \
  M(cusparseScsrmv) M(cusparseDcsrmv) M(cusparseScsrmm) M(cusparseDcsrmm) M(cusparseScsrmm2) \
  M(cusparseSdense2csr) M(cusparseDdense2csr) M(cusparseSnnz) M(cusparseDnnz) M(cusparseScsr2dense) \
  M(cusparseDcsr2dense) M(cusparseXcoo2csr) M(cusparseXcsr2coo) M(cusparseCsr2cscEx2) \
  M(cusparseCsr2cscEx2_bufferSize) M(cusparseCreateCsrilu02Info) M(cusparseDestroyCsrilu02Info) \
  M(cusparseScsrilu02) M(cusparseScsrilu02_bufferSize) M(cusparseScsrilu02_analysis) M(cusparseDcsrilu02) \
  M(cusparseDcsrilu02_bufferSize) M(cusparseDcsrilu02_analysis) M(cusparseXcsrgemmNnz) M(cusparseScsrgemm) \
  M(cusparseDcsrgemm) M(cusparseSgthr) M(cusparseDgthr) M(cusparseSgtsv2) M(cusparseDgtsv2) \
  M(cusparseXcoosort_bufferSizeExt) M(cusparseXcoosortByRow) M(cusparseCreateIdentityPermutation)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuSPARSE", cusparseStatus_t, name)
__BSCOPE_NOT_CUSPARSE(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUSPARSE

static inline const char* cusparseGetErrorName(cusparseStatus_t status) {
  return status == CUSPARSE_STATUS_SUCCESS ? "CUSPARSE_STATUS_SUCCESS" : "an error of cuSPARSE";
}
static inline const char* cusparseGetErrorString(cusparseStatus_t status) {
  return cusparseGetErrorName(status);
}
