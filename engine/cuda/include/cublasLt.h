// cuBLAS: its types and numbers. What a program calls of it ends the program there.
#pragma once
#include "cublas_api.h"

typedef struct cublasLtContext* cublasLtHandle_t;
typedef struct cublasLtMatmulDescOpaque* cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque* cublasLtMatrixLayout_t;
typedef struct cublasLtMatrixTransformDescOpaque* cublasLtMatrixTransformDesc_t;
typedef struct cublasLtMatmulPreferenceOpaque* cublasLtMatmulPreference_t;
typedef struct {
  unsigned long long data[8];
} cublasLtMatmulAlgo_t;
typedef struct {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;
typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_TRANSC = 5,
  CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8
} cublasLtMatmulDescAttributes_t;
typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
} cublasLtMatmulPreferenceAttributes_t;
typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,
  CUBLASLT_MATRIX_LAYOUT_LD = 4,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
} cublasLtMatrixLayoutAttribute_t;
typedef enum { CUBLASLT_ORDER_COL = 0, CUBLASLT_ORDER_ROW = 1, CUBLASLT_ORDER_COL32 = 2 } cublasLtOrder_t;
typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32
} cublasLtEpilogue_t;

// A handle alone, which helpers of programs make before they know what for.
static inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  static char context;
  *handle = (cublasLtHandle_t)&context;
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CUBLAS(M) \
  M(cublasLtMatmul) M(cublasLtMatmulDescCreate) \
  M(cublasLtMatmulDescDestroy) M(cublasLtMatmulDescSetAttribute) M(cublasLtMatmulDescGetAttribute) \
  M(cublasLtMatrixLayoutCreate) M(cublasLtMatrixLayoutDestroy) M(cublasLtMatrixLayoutSetAttribute) \
  M(cublasLtMatrixTransform) M(cublasLtMatrixTransformDescCreate) M(cublasLtMatrixTransformDescDestroy) \
  M(cublasLtMatmulPreferenceCreate) M(cublasLtMatmulPreferenceDestroy) M(cublasLtMatmulPreferenceSetAttribute) \
  M(cublasLtMatmulAlgoGetHeuristic) M(cublasLtMatmulAlgoGetIds) M(cublasLtMatmulAlgoInit) \
  M(cublasLtMatmulAlgoCheck) M(cublasLtMatmulAlgoConfigSetAttribute) M(cublasLtMatmulAlgoConfigGetAttribute) \
  M(cublasLtMatmulAlgoCapGetAttribute)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuBLAS", cublasStatus_t, name)
__BSCOPE_NOT_CUBLAS(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUBLAS
