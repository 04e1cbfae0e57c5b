// cuRAND's host API. Its generators are XORWOW and Philox, with NVIDIA's numbers in NVIDIA's order; another
// one, and what is declared below, ends the program where it is called.
#pragma once
#define CURAND_H_
#include "barrierscope/curand_api.h"
#include "barrierscope/library.h"
#include "cuda_runtime.h"

#define CURAND_VERSION 10300
typedef enum {
  CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
  CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
  CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104,
} curandDirectionVectorSet_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CURAND(M) \
  M(curandGenerateLongLong) M(curandGeneratePoisson) M(curandSetQuasiRandomGeneratorDimensions) \
  M(curandGetDirectionVectors32) M(curandGetDirectionVectors64) M(curandGetScrambleConstants32) \
  M(curandGetScrambleConstants64) M(curandCreatePoissonDistribution) M(curandDestroyDistribution) \
  M(curandGetProperty)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuRAND", curandStatus_t, name)
__BSCOPE_NOT_CURAND(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CURAND
