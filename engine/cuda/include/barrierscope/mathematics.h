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
  M(erfc) M(floor) M(ceil) M(round) M(rint) M(nearbyint) M(trunc) M(fabs) M(lgamma) M(tgamma) M(sinpi) \
  M(cospi) M(erfinv) M(erfcinv) M(erfcx) M(normcdf) M(normcdfinv) M(rcbrt) M(j0) M(j1) M(y0) M(y1) \
  M(cyl_bessel_i0) M(cyl_bessel_i1) M(logb)
// clang-format on
// clang-format off
#define __BSCOPE_MATH_OF_TWO(M) \
  M(pow) M(fmod) M(remainder) M(atan2) M(hypot) M(rhypot) M(fdim) M(fmin) M(fmax) M(copysign) M(nextafter)
// clang-format on
#define __BSCOPE_ONE(name) __BSCOPE_MATH_2(name, name, (double), (float))
#define __BSCOPE_TWO(name) __BSCOPE_MATH_2(name, name, (double, double), (float, float))
__BSCOPE_MATH_OF_ONE(__BSCOPE_ONE)
__BSCOPE_MATH_OF_TWO(__BSCOPE_TWO)
__BSCOPE_MATH_2(ldexp, ldexp, (double, int), (float, int))
__BSCOPE_MATH_2(scalbn, ldexp, (double, int), (float, int))
__BSCOPE_MATH_2(jn, jn, (int, double), (int, float))
__BSCOPE_MATH_2(yn, yn, (int, double), (int, float))
__BSCOPE_MATH_2(norm3d, norm3d, (double, double, double), (float, float, float))
__BSCOPE_MATH_2(rnorm3d, rnorm3d, (double, double, double), (float, float, float))
__BSCOPE_MATH_2(norm4d, norm4d, (double, double, double, double), (float, float, float, float))
__BSCOPE_MATH_2(rnorm4d, rnorm4d, (double, double, double, double), (float, float, float, float))
__BSCOPE_BUILTIN int __nv_ilogb(double) __asm__("__bscope_math_ilogb_f64");
__BSCOPE_BUILTIN int __nv_ilogbf(float) __asm__("__bscope_math_ilogb_f32");
__BSCOPE_BUILTIN int __bscope_math_quotient_f64(double, double);
__BSCOPE_BUILTIN int __bscope_math_quotient_f32(float, float);
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
#define __BSCOPE_MADE(T, F, f)                                                                  \
  __BSCOPE_NV long long __nv_llrint##F(T x) { return (long long)__nv_rint##F(x); }              \
  __BSCOPE_NV long long __nv_llround##F(T x) { return (long long)__nv_round##F(x); }            \
  __BSCOPE_NV T __nv_powi##F(T x, int n) { return __nv_pow##F(x, (T)n); }                       \
  __BSCOPE_NV T __nv_modf##F(T x, T* whole) {                                                   \
    *whole = __nv_trunc##F(x);                                                                  \
    return x - *whole == x - *whole ? __nv_copysign##F(x - *whole, x) : __nv_copysign##F(0, x); \
  }                                                                                             \
  __BSCOPE_NV T __nv_frexp##F(T x, int* exponent_of) {                                          \
    *exponent_of = 0;                                                                           \
    if (x == 0 || x - x != 0) return x;                                                         \
    *exponent_of = __nv_ilogb##F(x) + 1;                                                        \
    return __nv_ldexp##F(x, -*exponent_of);                                                     \
  }                                                                                             \
  __BSCOPE_NV T __nv_remquo##F(T x, T y, int* quotient) {                                       \
    *quotient = __bscope_math_quotient_##f(x, y);                                               \
    return __nv_remainder##F(x, y);                                                             \
  }                                                                                             \
  __BSCOPE_NV void __nv_sincos##F(T x, T* sine, T* cosine) {                                    \
    *sine = __nv_sin##F(x);                                                                     \
    *cosine = __nv_cos##F(x);                                                                   \
  }                                                                                             \
  __BSCOPE_NV void __nv_sincospi##F(T x, T* sine, T* cosine) {                                  \
    *sine = __nv_sinpi##F(x);                                                                   \
    *cosine = __nv_cospi##F(x);                                                                 \
  }                                                                                             \
  __BSCOPE_NV T __nv_norm##F(int n, const T* v) {                                               \
    T length = 0;                                                                               \
    for (int k = 0; k < n; ++k) length = __nv_hypot##F(length, v[k]);                           \
    return length;                                                                              \
  }                                                                                             \
  __BSCOPE_NV T __nv_rnorm##F(int n, const T* v) { return 1 / __nv_norm##F(n, v); }             \
  __BSCOPE_NV T __nv_nan##F(const signed char*) { return __builtin_nan##F(""); }
__BSCOPE_MADE(double, , f64)
__BSCOPE_MADE(float, f, f32)
#undef __BSCOPE_MADE
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
#define __BSCOPE_HOST_MATH(name)                                                        \
  extern "C" double __bscope_host_##name(double);                                       \
  static inline __host__ double name(double x) { return __bscope_host_##name(x); }      \
  static inline __host__ float name(float x) { return (float)__bscope_host_##name(x); } \
  static inline __host__ float name##f(float x) { return (float)__bscope_host_##name(x); }
__BSCOPE_HOST_MATH(rcbrt)
__BSCOPE_HOST_MATH(sinpi)
__BSCOPE_HOST_MATH(cospi)
__BSCOPE_HOST_MATH(erfinv)
__BSCOPE_HOST_MATH(erfcinv)
__BSCOPE_HOST_MATH(erfcx)
__BSCOPE_HOST_MATH(normcdf)
__BSCOPE_HOST_MATH(normcdfinv)
__BSCOPE_HOST_MATH(cyl_bessel_i0)
__BSCOPE_HOST_MATH(cyl_bessel_i1)
#undef __BSCOPE_HOST_MATH
static inline __host__ double rhypot(double x, double y) { return 1 / ::hypot(x, y); }
static inline __host__ float rhypotf(float x, float y) { return 1 / ::hypotf(x, y); }
static inline __host__ double norm3d(double x, double y, double z) { return ::hypot(::hypot(x, y), z); }
static inline __host__ float norm3df(float x, float y, float z) { return ::hypotf(::hypotf(x, y), z); }
static inline __host__ void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
static inline __host__ void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
