// cuFFT for several GPUs, and callbacks: types and numbers. What a program calls of it ends the program
// there.
#pragma once
#include "cufft.h"

typedef struct cudaXtDesc_t {
  int version, nGPUs, GPUs[64];
  void* data[64];
  size_t size[64];
} cudaXtDesc;
typedef struct cudaLibXtDesc_t {
  int version;
  cudaXtDesc* descriptor;
  int library, subFormat;
} cudaLibXtDesc;
typedef enum {
  CUFFT_XT_FORMAT_INPUT,
  CUFFT_XT_FORMAT_OUTPUT,
  CUFFT_XT_FORMAT_INPLACE,
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED
} cufftXtSubFormat;
typedef enum {
  CUFFT_COPY_HOST_TO_DEVICE,
  CUFFT_COPY_DEVICE_TO_HOST,
  CUFFT_COPY_DEVICE_TO_DEVICE
} cufftXtCopyType;
typedef enum {
  CUFFT_CB_LD_COMPLEX,
  CUFFT_CB_LD_COMPLEX_DOUBLE,
  CUFFT_CB_LD_REAL,
  CUFFT_CB_LD_REAL_DOUBLE,
  CUFFT_CB_ST_COMPLEX,
  CUFFT_CB_ST_COMPLEX_DOUBLE,
  CUFFT_CB_ST_REAL,
  CUFFT_CB_ST_REAL_DOUBLE
} cufftXtCallbackType;

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CUFFT(M) \
  M(cufftXtSetGPUs) M(cufftXtMalloc) M(cufftXtMemcpy) M(cufftXtFree) \
  M(cufftXtExecDescriptorC2C) M(cufftXtExecDescriptorR2C) M(cufftXtExecDescriptorC2R) \
  M(cufftXtExecDescriptorZ2Z) M(cufftXtSetCallback) M(cufftXtQueryPlan)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuFFT", cufftResult, name)
__BSCOPE_NOT_CUFFT(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUFFT
