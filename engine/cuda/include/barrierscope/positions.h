// Where a thread stands: threadIdx and its like are clang's own; here they become dim3 and uint3.
#pragma once

#include <__clang_cuda_builtin_vars.h>

#include "vectors.h"

#define __BSCOPE_POSITION(name)                                                                \
  __device__ inline __cuda_builtin_##name##_t::operator dim3() const { return dim3(x, y, z); } \
  __device__ inline __cuda_builtin_##name##_t::operator uint3() const { return {x, y, z}; }
__BSCOPE_POSITION(threadIdx)
__BSCOPE_POSITION(blockIdx)
__BSCOPE_POSITION(blockDim)
__BSCOPE_POSITION(gridDim)
#undef __BSCOPE_POSITION
