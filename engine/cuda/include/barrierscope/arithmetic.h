// Arithmetic by name: conversions with a rounding, IEEE operations, fast approximations (which are exact
// here), bits of floating point.
#pragma once

#include "mathematics.h"

// ---- floating point to integer: _rn nearest, _rz towards zero, _ru up, _rd down
#define __BSCOPE_TO_INTEGER(F, from, f, I, to)                               \
  __BSCOPE_DEVICE I __##from##2##to##_rz(F x) { return (I)x; }               \
  __BSCOPE_DEVICE I __##from##2##to##_ru(F x) { return (I)__nv_ceil##f(x); } \
  __BSCOPE_DEVICE I __##from##2##to##_rd(F x) { return (I)__nv_floor##f(x); }
#define __BSCOPE_NEAREST(F, from, f, I, to) \
  __BSCOPE_DEVICE I __##from##2##to##_rn(F x) { return (I)__nv_rint##f(x); }
#define __BSCOPE_TO_INTEGERS(F, from, f)                   \
  __BSCOPE_TO_INTEGER(F, from, f, int, int)                \
  __BSCOPE_TO_INTEGER(F, from, f, unsigned, uint)          \
  __BSCOPE_TO_INTEGER(F, from, f, long long, ll)           \
  __BSCOPE_TO_INTEGER(F, from, f, unsigned long long, ull) \
  __BSCOPE_NEAREST(F, from, f, int, int)                   \
  __BSCOPE_NEAREST(F, from, f, unsigned, uint)             \
  __BSCOPE_NEAREST(F, from, f, unsigned long long, ull)
__BSCOPE_TO_INTEGERS(float, float, f)
__BSCOPE_TO_INTEGERS(double, double, )
__BSCOPE_NEAREST(double, double, , long long, ll)  // the float's is in mathematics.h
#undef __BSCOPE_TO_INTEGER
#undef __BSCOPE_NEAREST
#undef __BSCOPE_TO_INTEGERS

// ---- to floating point: the interpreter rounds
#define __BSCOPE_ROUNDINGS(M, ...) M(__VA_ARGS__, rz) M(__VA_ARGS__, ru) M(__VA_ARGS__, rd)
#define __BSCOPE_NARROWED(I, from, i, to, F, by) \
  __BSCOPE_BUILTIN F __##from##2##to##_##by(I) __asm__("__bscope_" #to "_" #by "_" #i);
#define __BSCOPE_TO_FLOAT(I, from, i)                                 \
  __BSCOPE_DEVICE float __##from##2float_rn(I x) { return (float)x; } \
  __BSCOPE_ROUNDINGS(__BSCOPE_NARROWED, I, from, i, float, float)
#define __BSCOPE_TO_DOUBLE(I, from, i) \
  __BSCOPE_DEVICE double __##from##2double_rn(I x) { return (double)x; }
__BSCOPE_TO_FLOAT(double, double, f64)
__BSCOPE_TO_FLOAT(int, int, i32)
__BSCOPE_TO_FLOAT(unsigned, uint, u32)
__BSCOPE_TO_FLOAT(long long, ll, i64)
__BSCOPE_TO_FLOAT(unsigned long long, ull, u64)
__BSCOPE_TO_DOUBLE(int, int, i32)
__BSCOPE_TO_DOUBLE(unsigned, uint, u32)
__BSCOPE_TO_DOUBLE(long long, ll, i64)
__BSCOPE_TO_DOUBLE(unsigned long long, ull, u64)
__BSCOPE_ROUNDINGS(__BSCOPE_NARROWED, long long, ll, i64, double, double)
__BSCOPE_ROUNDINGS(__BSCOPE_NARROWED, unsigned long long, ull, u64, double, double)
#undef __BSCOPE_NARROWED
#undef __BSCOPE_TO_FLOAT
#undef __BSCOPE_TO_DOUBLE

// ---- operations with a rounding
#define __BSCOPE_DIRECTED(name, builtin, F, arguments, f, by) \
  __BSCOPE_BUILTIN F __##name##_##by arguments __asm__("__bscope_" #builtin "_" #by "_" #f);
#define __BSCOPE_DIRECTED_ALL(T, letter, F, f)                          \
  __BSCOPE_ROUNDINGS(__BSCOPE_DIRECTED, letter##add, add, T, (T, T), f) \
  __BSCOPE_ROUNDINGS(__BSCOPE_DIRECTED, letter##sub, sub, T, (T, T), f) \
  __BSCOPE_ROUNDINGS(__BSCOPE_DIRECTED, letter##mul, mul, T, (T, T), f) \
  __BSCOPE_ROUNDINGS(__BSCOPE_DIRECTED, letter##div, div, T, (T, T), f) \
  __BSCOPE_ROUNDINGS(__BSCOPE_DIRECTED, letter##rcp, rcp, T, (T), f)    \
  __BSCOPE_ROUNDINGS(__BSCOPE_DIRECTED, letter##sqrt, sqrt, T, (T), f)  \
  __BSCOPE_ROUNDINGS(__BSCOPE_DIRECTED, fma##F, fma, T, (T, T, T), f)
__BSCOPE_DIRECTED_ALL(float, f, f, f32)
__BSCOPE_DIRECTED_ALL(double, d, , f64)
__BSCOPE_ROUNDINGS(__BSCOPE_DIRECTED, fmaf_ieee, fma, float, (float, float, float), f32)
#undef __BSCOPE_DIRECTED
#undef __BSCOPE_DIRECTED_ALL
#undef __BSCOPE_ROUNDINGS

// ---- operations that round to the nearest, as plain ones do
#define __BSCOPE_NAMED(T, letter, F)                                     \
  __BSCOPE_DEVICE T __##letter##add_rn(T a, T b) { return a + b; }       \
  __BSCOPE_DEVICE T __##letter##sub_rn(T a, T b) { return a - b; }       \
  __BSCOPE_DEVICE T __##letter##mul_rn(T a, T b) { return a * b; }       \
  __BSCOPE_DEVICE T __##letter##div_rn(T a, T b) { return a / b; }       \
  __BSCOPE_DEVICE T __##letter##rcp_rn(T a) { return 1 / a; }            \
  __BSCOPE_DEVICE T __##letter##sqrt_rn(T a) { return __nv_sqrt##F(a); } \
  __BSCOPE_DEVICE T __fma##F##_rn(T a, T b, T c) { return __nv_fma##F(a, b, c); }
__BSCOPE_NAMED(float, f, f)
__BSCOPE_NAMED(double, d, )
#undef __BSCOPE_NAMED
__BSCOPE_DEVICE float __fmaf_ieee_rn(float a, float b, float c) { return __nv_fmaf(a, b, c); }
__BSCOPE_DEVICE float __frsqrt_rn(float x) { return __nv_rsqrtf(x); }
__BSCOPE_BUILTIN float __fdividef(float, float) __asm__("__bscope_quick_quotient_f32");
__BSCOPE_DEVICE float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
__BSCOPE_DEVICE float saturate(float x) { return __saturatef(x); }

// ---- fast approximations
__BSCOPE_DEVICE float __expf(float x) { return __nv_expf(x); }
__BSCOPE_DEVICE float __exp10f(float x) { return __nv_exp10f(x); }
__BSCOPE_DEVICE float __logf(float x) { return __nv_logf(x); }
__BSCOPE_DEVICE float __log2f(float x) { return __nv_log2f(x); }
__BSCOPE_DEVICE float __log10f(float x) { return __nv_log10f(x); }
__BSCOPE_DEVICE float __sinf(float x) { return __nv_sinf(x); }
__BSCOPE_DEVICE float __cosf(float x) { return __nv_cosf(x); }
__BSCOPE_DEVICE float __tanf(float x) { return __nv_tanf(x); }
__BSCOPE_DEVICE float __tanhf(float x) { return __nv_tanhf(x); }
__BSCOPE_DEVICE float __powf(float x, float y) { return __nv_powf(x, y); }
__BSCOPE_DEVICE void __sincosf(float x, float* sine, float* cosine) { __nv_sincosf(x, sine, cosine); }

// ---- bits
#define __BSCOPE_AS(name, F, T) \
  __BSCOPE_DEVICE T name(F v) { return __builtin_bit_cast(T, v); }
__BSCOPE_AS(__float_as_int, float, int)
__BSCOPE_AS(__float_as_uint, float, unsigned)
__BSCOPE_AS(__int_as_float, int, float)
__BSCOPE_AS(__uint_as_float, unsigned, float)
__BSCOPE_AS(__double_as_longlong, double, long long)
__BSCOPE_AS(__longlong_as_double, long long, double)
#undef __BSCOPE_AS
__BSCOPE_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
__BSCOPE_DEVICE int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
__BSCOPE_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)high << 32 | (unsigned)low);
}
