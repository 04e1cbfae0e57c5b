// cuFFT: what barrierscope/cufft_functions.h has is computed; what else is declared here ends the program
// where it is called.
#pragma once
#define _CUFFT_H_
#include "barrierscope/cufft_functions.h"
#include "barrierscope/library.h"
#include "cuda_runtime.h"
#include "library_types.h"

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CUFFT(M) \
  M(cufftGetSizeMany64) M(cufftSetCompatibilityMode) M(cufftGetPlanPropertyInt64) M(cufftSetPlanPropertyInt64) \
  M(cufftResetPlanProperty)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuFFT", cufftResult, name)
__BSCOPE_NOT_CUFFT(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUFFT
typedef enum { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 } cufftCompatibility;
