// The device's mathematics. clang has all names and overloads (for std, too) over functions of NVIDIA's
// library, __nv_*; here those become the interpreter's own, or are made of them.
#pragma once

// What the device has is declared first, so that the host's functions leave those names to it.
// clang-format off
#include <__clang_cuda_math_forward_declares.h>
#include <limits.h>
#include <math.h>

#include <cmath>
// clang-format on

#include "integers.h"

// ---- one function of the interpreter for each of the library's
#define __BSCOPE_MATH_2(nv, name, arguments, arguments_f)                             \
  __BSCOPE_BUILTIN double __nv_##nv arguments __asm__("__bscope_math_" #name "_f64"); \
  __BSCOPE_BUILTIN float __nv_##nv##f arguments_f __asm__("__bscope_math_" #name "_f32");
// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_MATH_OF_ONE(M) \
  M(sqrt) M(rsqrt) M(cbrt) M(exp) M(exp2) M(exp10) M(expm1) M(log) M(log2) M(log10) M(log1p) M(sin) \
  M(cos) M(tan) M(asin) M(acos) M(atan) M(sinh) M(cosh) M(tanh) M(asinh) M(acosh) M(atanh) M(erf) \
  M(erfc) M(floor) M(ceil) M(round) M(rint) M(trunc) M(fabs) M(lgamma) M(tgamma) M(sinpi) M(cospi)
// clang-format on
// clang-format off
#define __BSCOPE_MATH_OF_TWO(M) \
  M(pow) M(fmod) M(remainder) M(atan2) M(hypot) M(fdim) M(fmin) M(fmax) M(copysign)
// clang-format on
#define __BSCOPE_ONE(name) __BSCOPE_MATH_2(name, name, (double), (float))
#define __BSCOPE_TWO(name) __BSCOPE_MATH_2(name, name, (double, double), (float, float))
__BSCOPE_MATH_OF_ONE(__BSCOPE_ONE)
__BSCOPE_MATH_OF_TWO(__BSCOPE_TWO)
__BSCOPE_MATH_2(ldexp, ldexp, (double, int), (float, int))
__BSCOPE_MATH_2(scalbn, ldexp, (double, int), (float, int))
__BSCOPE_BUILTIN double __nv_fma(double, double, double) __asm__("__bscope_fma_f64");
__BSCOPE_BUILTIN float __nv_fmaf(float, float, float) __asm__("__bscope_fma_f32");
__BSCOPE_BUILTIN int __nv_abs(int) __asm__("__bscope_abs_i32");
__BSCOPE_BUILTIN long long __nv_llabs(long long) __asm__("__bscope_abs_i64");
__BSCOPE_BUILTIN int __nv_min(int, int) __asm__("__bscope_min_i32");
__BSCOPE_BUILTIN int __nv_max(int, int) __asm__("__bscope_max_i32");
__BSCOPE_BUILTIN unsigned __nv_umin(unsigned, unsigned) __asm__("__bscope_min_u32");
__BSCOPE_BUILTIN unsigned __nv_umax(unsigned, unsigned) __asm__("__bscope_max_u32");
__BSCOPE_BUILTIN long long __nv_llmin(long long, long long) __asm__("__bscope_min_i64");
__BSCOPE_BUILTIN long long __nv_llmax(long long, long long) __asm__("__bscope_max_i64");
__BSCOPE_BUILTIN unsigned long long __nv_ullmin(unsigned long long,
                                                unsigned long long) __asm__("__bscope_min_u64");
__BSCOPE_BUILTIN unsigned long long __nv_ullmax(unsigned long long,
                                                unsigned long long) __asm__("__bscope_max_u64");
#undef __BSCOPE_MATH_2
#undef __BSCOPE_ONE
#undef __BSCOPE_TWO

// ---- made of others; F is "" or f, T its type
#define __BSCOPE_NV extern "C" __device__ inline __attribute__((always_inline))
#define __BSCOPE_MADE(T, F, bits, exponent, U)                                                    \
  __BSCOPE_NV long long __nv_llrint##F(T x) { return (long long)__nv_rint##F(x); }                \
  __BSCOPE_NV long long __nv_llround##F(T x) { return (long long)__nv_round##F(x); }              \
  __BSCOPE_NV T __nv_rcbrt##F(T x) { return 1 / __nv_cbrt##F(x); }                                \
  __BSCOPE_NV T __nv_rhypot##F(T x, T y) { return 1 / __nv_hypot##F(x, y); }                      \
  __BSCOPE_NV T __nv_powi##F(T x, int n) { return __nv_pow##F(x, (T)n); }                         \
  __BSCOPE_NV T __nv_normcdf##F(T x) { return __nv_erfc##F(x * (T)-0.70710678118654752440) / 2; } \
  __BSCOPE_NV T __nv_erfcx##F(T x) { return __nv_exp##F(x * x) * __nv_erfc##F(x); }               \
  __BSCOPE_NV T __nv_modf##F(T x, T* whole) {                                                     \
    *whole = __nv_trunc##F(x);                                                                    \
    return x - *whole == x - *whole ? __nv_copysign##F(x - *whole, x) : __nv_copysign##F(0, x);   \
  }                                                                                               \
  __BSCOPE_NV int __nv_ilogb##F(T x) {                                                            \
    T size = __nv_fabs##F(x);                                                                     \
    if (size == 0) return INT_MIN;                                                                \
    if (!(size <= (T)exponent)) return size != size ? INT_MIN : INT_MAX;                          \
    int e = (int)__nv_floor##F(__nv_log2##F(size));                                               \
    while (__nv_ldexp##F(size, -e) >= 2) ++e;                                                     \
    while (__nv_ldexp##F(size, -e) < 1) --e;                                                      \
    return e;                                                                                     \
  }                                                                                               \
  __BSCOPE_NV T __nv_logb##F(T x) {                                                               \
    int e = __nv_ilogb##F(x);                                                                     \
    return x == 0 ? -HUGE_VAL : e == INT_MAX || x != x ? x * x : (T)e;                            \
  }                                                                                               \
  __BSCOPE_NV T __nv_frexp##F(T x, int* exponent_of) {                                            \
    *exponent_of = 0;                                                                             \
    if (x == 0 || x - x != 0) return x;                                                           \
    *exponent_of = __nv_ilogb##F(x) + 1;                                                          \
    return __nv_ldexp##F(x, -*exponent_of);                                                       \
  }                                                                                               \
  __BSCOPE_NV T __nv_nextafter##F(T x, T to) {                                                    \
    if (x != x || to != to) return x + to;                                                        \
    if (x == to) return to;                                                                       \
    if (x == 0) return __nv_copysign##F(__builtin_bit_cast(T, (U)1), to);                         \
    U raw = __builtin_bit_cast(U, x);                                                             \
    return __builtin_bit_cast(T, (x < to) == (x > 0) ? raw + 1 : raw - 1);                        \
  }                                                                                               \
  __BSCOPE_NV void __nv_sincos##F(T x, T* sine, T* cosine) {                                      \
    *sine = __nv_sin##F(x);                                                                       \
    *cosine = __nv_cos##F(x);                                                                     \
  }                                                                                               \
  __BSCOPE_NV void __nv_sincospi##F(T x, T* sine, T* cosine) {                                    \
    *sine = __nv_sinpi##F(x);                                                                     \
    *cosine = __nv_cospi##F(x);                                                                   \
  }                                                                                               \
  __BSCOPE_NV T __nv_norm##F(int n, const T* v) {                                                 \
    T sum = 0;                                                                                    \
    for (int k = 0; k < n; ++k) sum += v[k] * v[k];                                               \
    return __nv_sqrt##F(sum);                                                                     \
  }                                                                                               \
  __BSCOPE_NV T __nv_rnorm##F(int n, const T* v) { return 1 / __nv_norm##F(n, v); }
__BSCOPE_MADE(double, , 64, __DBL_MAX__, unsigned long long)
__BSCOPE_MADE(float, f, 32, __FLT_MAX__, unsigned)
#undef __BSCOPE_MADE
#define __BSCOPE_NORMS(T, F)                                                                               \
  __BSCOPE_NV T __nv_norm3d##F(T x, T y, T z) { return __nv_sqrt##F(x * x + y * y + z * z); }              \
  __BSCOPE_NV T __nv_norm4d##F(T x, T y, T z, T w) { return __nv_sqrt##F(x * x + y * y + z * z + w * w); } \
  __BSCOPE_NV T __nv_rnorm3d##F(T x, T y, T z) { return 1 / __nv_norm3d##F(x, y, z); }                     \
  __BSCOPE_NV T __nv_rnorm4d##F(T x, T y, T z, T w) { return 1 / __nv_norm4d##F(x, y, z, w); }
__BSCOPE_NORMS(double, )
__BSCOPE_NORMS(float, f)
#undef __BSCOPE_NORMS
#undef __BSCOPE_NV

// ---- what clang's overloads for std ask for
__BSCOPE_DEVICE int __isnanf(float x) { return x != x; }
__BSCOPE_DEVICE int __isnan(double x) { return x != x; }
__BSCOPE_DEVICE int __isinff(float x) { return x == x && x - x != 0; }
__BSCOPE_DEVICE int __isinf(double x) { return x == x && x - x != 0; }
__BSCOPE_DEVICE int __finitef(float x) { return x - x == 0; }
__BSCOPE_DEVICE int __finite(double x) { return x - x == 0; }
__BSCOPE_DEVICE int __isfinited(double x) { return x - x == 0; }
__BSCOPE_DEVICE int __signbitf(float x) { return __builtin_bit_cast(int, x) < 0; }
__BSCOPE_DEVICE int __signbitd(double x) { return __builtin_bit_cast(long long, x) < 0; }
__BSCOPE_DEVICE long long __float2ll_rn(float x) { return __nv_llrintf(x); }

// Each is made of those before it.
// clang-format off
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
// clang-format on

__BSCOPE_DEVICE float rsqrt(float x) { return ::rsqrtf(x); }
__BSCOPE_DEVICE void sincos(float x, float* sine, float* cosine) { ::sincosf(x, sine, cosine); }
// The host has these in CUDA, and not in C.
static inline __host__ double rsqrt(double x) { return 1 / ::sqrt(x); }
static inline __host__ float rsqrtf(float x) { return 1 / ::sqrtf(x); }
