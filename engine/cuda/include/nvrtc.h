// NVRTC: its types and numbers. What a program calls of it ends the program there.
#pragma once
#include "barrierscope/library.h"
#include "cuda_runtime.h"
#include "library_types.h"

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
} nvrtcResult;
typedef struct _nvrtcProgram* nvrtcProgram;
static inline const char* nvrtcGetErrorString(nvrtcResult result) {
  return result == NVRTC_SUCCESS ? "NVRTC_SUCCESS" : "an error of NVRTC";
}

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_NVRTC(M) \
  M(nvrtcVersion) M(nvrtcCreateProgram) M(nvrtcDestroyProgram) M(nvrtcCompileProgram) M(nvrtcGetPTX) \
  M(nvrtcGetPTXSize) M(nvrtcGetCUBIN) M(nvrtcGetCUBINSize) M(nvrtcGetLTOIR) M(nvrtcGetLTOIRSize) \
  M(nvrtcGetProgramLog) M(nvrtcGetProgramLogSize) M(nvrtcAddNameExpression) M(nvrtcGetLoweredName) \
  M(nvrtcGetNumSupportedArchs) M(nvrtcGetSupportedArchs)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("NVRTC", nvrtcResult, name)
__BSCOPE_NOT_NVRTC(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_NVRTC
