// cuBLAS: its types and numbers. What a program calls of it ends the program there.
#pragma once
#include "cublas_v2.h"

typedef struct cublasXtContext* cublasXtHandle_t;

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CUBLAS(M) \
  M(cublasXtCreate) M(cublasXtDestroy) M(cublasXtDeviceSelect) M(cublasXtSetBlockDim) \
  M(cublasXtSetPinningMemMode) M(cublasXtSetCpuRoutine) M(cublasXtSetCpuRatio) M(cublasXtSgemm) \
  M(cublasXtDgemm) M(cublasXtSsyrk) M(cublasXtDsyrk) M(cublasXtStrsm) M(cublasXtDtrsm)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuBLAS", cublasStatus_t, name)
__BSCOPE_NOT_CUBLAS(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUBLAS
