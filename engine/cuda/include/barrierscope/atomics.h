// Atomics, each for the types that CUDA has it for and no others: users write the missing ones themselves.
#pragma once

#include "qualifiers.h"

/// The atomic that follows orders the threads of one block only. `name`: of the one that orders all.
__BSCOPE_BUILTIN void __bscope_block_scope(const char* name);

#define __BSCOPE_SCOPES(T, t, Name, name)                                            \
  __BSCOPE_DEVICE T Name(T* at, T v) { return __bscope_atomic_##name##_##t(at, v); } \
  __BSCOPE_DEVICE T Name##_block(T* at, T v) {                                       \
    __bscope_block_scope(#Name);                                                     \
    return __bscope_atomic_##name##_##t(at, v);                                      \
  }                                                                                  \
  __BSCOPE_DEVICE T Name##_system(T* at, T v) { return __bscope_atomic_##name##_##t(at, v); }
#define __BSCOPE_ATOMIC(T, t, Name, name)                 \
  __BSCOPE_BUILTIN T __bscope_atomic_##name##_##t(T*, T); \
  __BSCOPE_SCOPES(T, t, Name, name)
#define __BSCOPE_CAS(T, t)                                                                                 \
  __BSCOPE_BUILTIN T __bscope_atomic_cas_##t(T*, T expected, T wanted);                                    \
  __BSCOPE_DEVICE T atomicCAS(T* at, T expected, T v) { return __bscope_atomic_cas_##t(at, expected, v); } \
  __BSCOPE_DEVICE T atomicCAS_block(T* at, T expected, T v) {                                              \
    __bscope_block_scope("atomicCAS");                                                                     \
    return __bscope_atomic_cas_##t(at, expected, v);                                                       \
  }                                                                                                        \
  __BSCOPE_DEVICE T atomicCAS_system(T* at, T expected, T v) {                                             \
    return __bscope_atomic_cas_##t(at, expected, v);                                                       \
  }

#define __BSCOPE_ADD(T, t) __BSCOPE_ATOMIC(T, t, atomicAdd, add)
__BSCOPE_ADD(int, i32)
__BSCOPE_ADD(unsigned, u32)
__BSCOPE_ADD(unsigned long long, u64)
__BSCOPE_ADD(float, f32)
__BSCOPE_ADD(double, f64)
__BSCOPE_ATOMIC(int, i32, atomicSub, sub)
__BSCOPE_ATOMIC(unsigned, u32, atomicSub, sub)
__BSCOPE_ATOMIC(int, i32, atomicExch, exch)
__BSCOPE_ATOMIC(unsigned, u32, atomicExch, exch)
__BSCOPE_ATOMIC(unsigned long long, u64, atomicExch, exch)
__BSCOPE_ATOMIC(float, f32, atomicExch, exch)
#define __BSCOPE_OF_INTEGERS(T, t)      \
  __BSCOPE_ATOMIC(T, t, atomicMin, min) \
  __BSCOPE_ATOMIC(T, t, atomicMax, max) \
  __BSCOPE_ATOMIC(T, t, atomicAnd, and) \
  __BSCOPE_ATOMIC(T, t, atomicOr, or)   \
  __BSCOPE_ATOMIC(T, t, atomicXor, xor)
__BSCOPE_INTEGERS(__BSCOPE_OF_INTEGERS)
__BSCOPE_ATOMIC(unsigned, u32, atomicInc, inc)
__BSCOPE_ATOMIC(unsigned, u32, atomicDec, dec)
__BSCOPE_CAS(int, i32)
__BSCOPE_CAS(unsigned, u32)
__BSCOPE_CAS(unsigned long long, u64)
__BSCOPE_CAS(unsigned short, u16)
#undef __BSCOPE_SCOPES
#undef __BSCOPE_ATOMIC
#undef __BSCOPE_CAS
#undef __BSCOPE_ADD
#undef __BSCOPE_OF_INTEGERS
