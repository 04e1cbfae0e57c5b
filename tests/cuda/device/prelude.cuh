// The few of CUDA's words that the tests' kernels use, in terms of what the machine offers.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#include <__clang_cuda_builtin_vars.h>

#define DEVICE extern "C" __device__
DEVICE void __bscope_sync(void);
DEVICE int __bscope_sync_count(int);
DEVICE int __bscope_sync_and(int);
DEVICE int __bscope_sync_or(int);
DEVICE void __bscope_sync_warp(unsigned);
DEVICE void __bscope_sync_grid(void);
DEVICE void __bscope_block_scope(const char*);
DEVICE unsigned __bscope_active_mask(void);
DEVICE unsigned __bscope_ballot(unsigned, int);
DEVICE int __bscope_shuffle_down_i32(unsigned, int, int, int);
DEVICE double __bscope_shuffle_f64(unsigned, double, int, int);
DEVICE unsigned __bscope_match_any_i32(unsigned, int);
DEVICE int __bscope_reduce_add_i32(unsigned, int);
DEVICE int __bscope_reduce_max_i32(unsigned, int);
DEVICE void __bscope_fence_device(void);
DEVICE int __bscope_atomic_add_i32(int*, int);
DEVICE int __bscope_atomic_sub_i32(int*, int);
DEVICE int __bscope_atomic_min_i32(int*, int);
DEVICE int __bscope_atomic_max_i32(int*, int);
DEVICE int __bscope_atomic_cas_i32(int*, int, int);
DEVICE int __bscope_atomic_exch_i32(int*, int);
DEVICE unsigned __bscope_atomic_inc_u32(unsigned*, unsigned);
DEVICE unsigned long long __bscope_atomic_add_u64(unsigned long long*, unsigned long long);
DEVICE unsigned long long __bscope_atomic_max_u64(unsigned long long*, unsigned long long);
DEVICE unsigned long long __bscope_atomic_xor_u64(unsigned long long*, unsigned long long);
DEVICE unsigned long long __bscope_atomic_exch_u64(unsigned long long*, unsigned long long);
DEVICE unsigned long long __bscope_atomic_cas_u64(unsigned long long*, unsigned long long,
                                                  unsigned long long);
DEVICE unsigned __bscope_atomic_add_u32(unsigned*, unsigned);
DEVICE float __bscope_atomic_add_f32(float*, float);
DEVICE unsigned short __bscope_atomic_cas_u16(unsigned short*, unsigned short, unsigned short);
DEVICE float __bscope_math_sqrt_f32(float);
DEVICE float __bscope_fma_f32(float, float, float);
DEVICE unsigned __bscope_popc_u32(unsigned);
DEVICE int __bscope_min_i32(int, int);
DEVICE unsigned __bscope_mul_hi_u32(unsigned, unsigned);
DEVICE unsigned long long __bscope_clock(void);
DEVICE void __bscope_trap(void);
DEVICE void __bscope_assert_fail(const char*, const char*, unsigned, const char*);
DEVICE void __bscope_unsupported(const char*);
DEVICE void nobody_knows_this(void);
DEVICE int printf(const char*, ...);
DEVICE void* malloc(unsigned long);
DEVICE void free(void*);

struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
