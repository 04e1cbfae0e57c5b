// Where a thread stands: threadIdx, blockIdx, blockDim, gridDim. In nvcc they are variables of the types
// uint3 and dim3; here each is a class whose members are read from registers (clang's property attribute),
// and a copy of it is as good, for none of them changes while a thread runs.
#pragma once

#include "vectors.h"

#define __BSCOPE_AXIS(name, axis)                                                          \
  __declspec(property(get = __bscope_get_##axis)) unsigned axis;                           \
  static __device__ inline __attribute__((always_inline)) unsigned __bscope_get_##axis() { \
    return __nvvm_read_ptx_sreg_##name##_##axis();                                         \
  }
#define __BSCOPE_POSITION(variable, name)                             \
  struct __bscope_##variable##_t {                                    \
    __BSCOPE_AXIS(name, x)                                            \
    __BSCOPE_AXIS(name, y)                                            \
    __BSCOPE_AXIS(name, z)                                            \
    __device__ inline operator dim3() const { return dim3(x, y, z); } \
    __device__ inline operator uint3() const { return {x, y, z}; }    \
                                                                      \
   private:                                                           \
    __device__ void operator=(const __bscope_##variable##_t&) const;  \
    __device__ __bscope_##variable##_t* operator&() const;            \
  };                                                                  \
  extern const __device__ __attribute__((weak)) __bscope_##variable##_t variable;
__BSCOPE_POSITION(threadIdx, tid)
__BSCOPE_POSITION(blockIdx, ctaid)
__BSCOPE_POSITION(blockDim, ntid)
__BSCOPE_POSITION(gridDim, nctaid)
#undef __BSCOPE_POSITION
#undef __BSCOPE_AXIS

__device__ const int warpSize = 32;
