// cuFFT: its types and numbers. What a program calls of it ends the program there.
#pragma once
#define _CUFFT_H_
#include "barrierscope/library.h"
#include "cuda_runtime.h"
#include "library_types.h"

typedef enum {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_PARSE_ERROR = 12,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16,
} cufftResult;
typedef cufftResult cufftResult_t;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
#define CUFFT_FORWARD (-1)
#define CUFFT_INVERSE 1
typedef enum {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69,
} cufftType;
typedef cufftType cufftType_t;
typedef enum { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 } cufftCompatibility;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CUFFT(M) \
  M(cufftPlan1d) M(cufftPlan2d) M(cufftPlan3d) M(cufftPlanMany) M(cufftCreate) M(cufftDestroy) \
  M(cufftMakePlan1d) M(cufftMakePlan2d) M(cufftMakePlan3d) M(cufftMakePlanMany) M(cufftMakePlanMany64) \
  M(cufftEstimate1d) M(cufftEstimate2d) M(cufftEstimate3d) M(cufftEstimateMany) M(cufftGetSize) \
  M(cufftGetSize1d) M(cufftGetSize2d) M(cufftGetSize3d) M(cufftGetSizeMany) M(cufftSetWorkArea) \
  M(cufftSetAutoAllocation) M(cufftSetStream) M(cufftSetCompatibilityMode) M(cufftGetVersion) \
  M(cufftGetProperty) M(cufftExecC2C) M(cufftExecR2C) M(cufftExecC2R) M(cufftExecZ2Z) M(cufftExecD2Z) \
  M(cufftExecZ2D)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuFFT", cufftResult, name)
__BSCOPE_NOT_CUFFT(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUFFT
