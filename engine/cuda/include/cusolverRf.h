// cuSOLVER: its types and numbers. What a program calls of it ends the program there.
#pragma once
#include "cusolver_common.h"

typedef struct cusolverRfCommon* cusolverRfHandle_t;

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CUSOLVER(M) \
  M(cusolverRfCreate) M(cusolverRfDestroy) M(cusolverRfSetupHost) M(cusolverRfSetupDevice) \
  M(cusolverRfAnalyze) M(cusolverRfRefactor) M(cusolverRfSolve) M(cusolverRfResetValues) \
  M(cusolverRfSetNumericProperties) M(cusolverRfSetMatrixFormat) M(cusolverRfSetAlgs) \
  M(cusolverRfSetResetValuesFastMode)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuSOLVER", cusolverStatus_t, name)
__BSCOPE_NOT_CUSOLVER(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUSOLVER
