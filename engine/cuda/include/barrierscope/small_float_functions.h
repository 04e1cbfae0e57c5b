// CUDA's functions of half precision and bfloat16, which have the same ones under similar names. The
// including header says which: __BSCOPE_T and __BSCOPE_T2 are the types, __BSCOPE_N what their functions are
// named by (half), __BSCOPE_K the interpreter's suffix (f16), __BSCOPE_FRACTION the digits behind the point.
// A kernel's operation is one of the interpreter's; the host computes the same (small_floats.h).

#define __BSCOPE_JOIN_2(a, b) a##b
#define __BSCOPE_JOIN(a, b) __BSCOPE_JOIN_2(a, b)
#define __BSCOPE_NAME_2(before, name, behind) before##name##behind
#define __BSCOPE_NAME_1(before, name, behind) __BSCOPE_NAME_2(before, name, behind)
/// __float2 and _rn: __float2half_rn.
#define __BSCOPE_NAME(before, behind) __BSCOPE_NAME_1(before, __BSCOPE_N, behind)
#define __BSCOPE_OWN(operation) __BSCOPE_JOIN(__bscope_##operation##_, __BSCOPE_K)
#define __BSCOPE_WORD(v) __builtin_bit_cast(unsigned short, v)

#ifdef __CUDA_ARCH__
#define __BSCOPE_ONE(operation, a) __builtin_bit_cast(__BSCOPE_T, __BSCOPE_OWN(operation)(__BSCOPE_WORD(a)))
#define __BSCOPE_TWO(operation, a, b) \
  __builtin_bit_cast(__BSCOPE_T, __BSCOPE_OWN(operation)(__BSCOPE_WORD(a), __BSCOPE_WORD(b)))
#define __BSCOPE_THREE(operation, a, b, c) \
  __builtin_bit_cast(__BSCOPE_T,           \
                     __BSCOPE_OWN(operation)(__BSCOPE_WORD(a), __BSCOPE_WORD(b), __BSCOPE_WORD(c)))
#define __BSCOPE_ASK(operation, a, b) __BSCOPE_OWN(operation)(__BSCOPE_WORD(a), __BSCOPE_WORD(b))
#define __BSCOPE_ASK_ONE(T, operation, a) __BSCOPE_OWN(operation)(__BSCOPE_WORD(a))
#define __BSCOPE_FROM(operation, U, a, rounding) \
  __builtin_bit_cast(__BSCOPE_T, __BSCOPE_OWN(operation)(a, rounding))
#define __BSCOPE_TO(operation, a, rounding) __BSCOPE_OWN(operation)(__BSCOPE_WORD(a), rounding)
#else
#define __BSCOPE_HOST(operation, a, b, c) \
  __builtin_bit_cast(__BSCOPE_T, (unsigned short)bscope_small_##operation(a, b, c, __BSCOPE_FRACTION))
#define __BSCOPE_ONE(operation, a) __BSCOPE_HOST(operation, __BSCOPE_WORD(a), 0, 0)
#define __BSCOPE_TWO(operation, a, b) __BSCOPE_HOST(operation, __BSCOPE_WORD(a), __BSCOPE_WORD(b), 0)
#define __BSCOPE_THREE(operation, a, b, c) \
  __BSCOPE_HOST(operation, __BSCOPE_WORD(a), __BSCOPE_WORD(b), __BSCOPE_WORD(c))
#define __BSCOPE_ASK(operation, a, b) \
  (bscope_small_##operation(__BSCOPE_WORD(a), __BSCOPE_WORD(b), 0, __BSCOPE_FRACTION) != 0)
#define __BSCOPE_ASK_ONE(T, operation, a) \
  (T) bscope_small_##operation(__BSCOPE_WORD(a), 0, 0, __BSCOPE_FRACTION)
#define __BSCOPE_FROM(operation, U, a, rounding) \
  __BSCOPE_HOST(operation, __builtin_bit_cast(U, a), rounding, 0)
#define __BSCOPE_TO(operation, a, rounding) \
  bscope_small_##operation(__BSCOPE_WORD(a), rounding, 0, __BSCOPE_FRACTION)
#endif

#ifdef __CUDA__
// ---- the interpreter's
#define __BSCOPE_DECLARE_1(name) __BSCOPE_BUILTIN unsigned short __BSCOPE_OWN(name)(unsigned short);
#define __BSCOPE_DECLARE_2(name) \
  __BSCOPE_BUILTIN unsigned short __BSCOPE_OWN(name)(unsigned short, unsigned short);
#define __BSCOPE_DECLARE_3(name) \
  __BSCOPE_BUILTIN unsigned short __BSCOPE_OWN(name)(unsigned short, unsigned short, unsigned short);
#define __BSCOPE_DECLARE_QUESTION(name) \
  __BSCOPE_BUILTIN bool __BSCOPE_OWN(name)(unsigned short, unsigned short);
#define __BSCOPE_DECLARE_FROM(T, t) __BSCOPE_BUILTIN unsigned short __BSCOPE_OWN(from_##t)(T, int rounding);
#define __BSCOPE_DECLARE_TO(T, t) __BSCOPE_BUILTIN T __BSCOPE_OWN(to_##t)(unsigned short, int rounding);
#define __BSCOPE_DECLARE_SHUFFLE(name) \
  __BSCOPE_BUILTIN unsigned short __BSCOPE_OWN(name)(unsigned mask, unsigned short, int lane, int width);
// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_ARITHMETIC(M) \
  M(add) M(sub) M(mul) M(div) M(add_sat) M(sub_sat) M(mul_sat) M(min) M(max) M(min_nan) M(max_nan)
#define __BSCOPE_UNARY(M) \
  M(neg) M(abs) M(math_sqrt) M(math_rsqrt) M(math_exp) M(math_exp2) M(math_exp10) M(math_log) M(math_log2) \
  M(math_log10) M(math_sin) M(math_cos) M(math_tanh) M(math_ceil) M(math_floor) M(math_rint) M(math_trunc)
#define __BSCOPE_QUESTIONS(M) \
  M(eq) M(ne) M(lt) M(le) M(gt) M(ge) M(equ) M(neu) M(ltu) M(leu) M(gtu) M(geu)
// clang-format on
__BSCOPE_ARITHMETIC(__BSCOPE_DECLARE_2)
__BSCOPE_UNARY(__BSCOPE_DECLARE_1)
__BSCOPE_QUESTIONS(__BSCOPE_DECLARE_QUESTION)
__BSCOPE_DECLARE_3(fma)
__BSCOPE_DECLARE_3(fma_sat)
__BSCOPE_DECLARE_3(fma_relu)
__BSCOPE_BUILTIN bool __BSCOPE_OWN(is_nan)(unsigned short);
__BSCOPE_BUILTIN int __BSCOPE_OWN(is_infinite)(unsigned short);
__BSCOPE_DECLARE_FROM(float, f32)
__BSCOPE_DECLARE_FROM(double, f64)
__BSCOPE_INTEGERS(__BSCOPE_DECLARE_FROM)
__BSCOPE_DECLARE_TO(float, f32)
__BSCOPE_DECLARE_TO(signed char, i8)
__BSCOPE_DECLARE_TO(unsigned char, u8)
__BSCOPE_DECLARE_TO(short, i16)
__BSCOPE_DECLARE_TO(unsigned short, u16)
__BSCOPE_INTEGERS(__BSCOPE_DECLARE_TO)
__BSCOPE_DECLARE_SHUFFLE(shuffle)
__BSCOPE_DECLARE_SHUFFLE(shuffle_up)
__BSCOPE_DECLARE_SHUFFLE(shuffle_down)
__BSCOPE_DECLARE_SHUFFLE(shuffle_xor)
__BSCOPE_BUILTIN unsigned short __BSCOPE_OWN(atomic_add)(unsigned short*, unsigned short);
#endif

// ---- conversions
#define __BSCOPE_ROUNDED(T, t, U, source, rounding, how)                          \
  __BSCOPE_BOTH __BSCOPE_T __BSCOPE_NAME(__##source##2, _##rounding)(const T v) { \
    return __BSCOPE_FROM(from_##t, U, v, how);                                    \
  }
#define __BSCOPE_ALL_ROUNDED(T, t, U, source)              \
  __BSCOPE_ROUNDED(T, t, U, source, rn, bscope_to_nearest) \
  __BSCOPE_ROUNDED(T, t, U, source, rz, bscope_to_zero)    \
  __BSCOPE_ROUNDED(T, t, U, source, rd, bscope_down)       \
  __BSCOPE_ROUNDED(T, t, U, source, ru, bscope_up)
__BSCOPE_ALL_ROUNDED(float, f32, unsigned, float)
__BSCOPE_ALL_ROUNDED(int, i32, unsigned, int)
__BSCOPE_ALL_ROUNDED(unsigned, u32, unsigned, uint)
__BSCOPE_ALL_ROUNDED(long long, i64, unsigned long long, ll)
__BSCOPE_ALL_ROUNDED(unsigned long long, u64, unsigned long long, ull)
#define __BSCOPE_FROM_SHORT(rounding)                                                      \
  __BSCOPE_BOTH __BSCOPE_T __BSCOPE_NAME(__short2, _##rounding)(const short v) {           \
    return __BSCOPE_NAME(__int2, _##rounding)(v);                                          \
  }                                                                                        \
  __BSCOPE_BOTH __BSCOPE_T __BSCOPE_NAME(__ushort2, _##rounding)(const unsigned short v) { \
    return __BSCOPE_NAME(__uint2, _##rounding)(v);                                         \
  }
__BSCOPE_FROM_SHORT(rn)
__BSCOPE_FROM_SHORT(rz)
__BSCOPE_FROM_SHORT(rd)
__BSCOPE_FROM_SHORT(ru)
__BSCOPE_BOTH __BSCOPE_T __BSCOPE_NAME(__float2, )(const float v) { return __BSCOPE_NAME(__float2, _rn)(v); }
__BSCOPE_BOTH __BSCOPE_T __BSCOPE_NAME(__double2, )(const double v) {
  return __BSCOPE_FROM(from_f64, unsigned long long, v, bscope_to_nearest);
}
__BSCOPE_BOTH float __BSCOPE_NAME(__, 2float)(const __BSCOPE_T v) {
#ifdef __CUDA_ARCH__
  return __BSCOPE_TO(to_f32, v, bscope_to_nearest);
#else
  return __builtin_bit_cast(float, (unsigned)__BSCOPE_TO(to_f32, v, bscope_to_nearest));
#endif
}
#define __BSCOPE_WHOLE(T, t, target, rounding, how)                               \
  __BSCOPE_BOTH T __BSCOPE_NAME(__, 2##target##_##rounding)(const __BSCOPE_T v) { \
    return (T)__BSCOPE_TO(to_##t, v, how);                                        \
  }
#define __BSCOPE_ALL_WHOLE(T, t, target)              \
  __BSCOPE_WHOLE(T, t, target, rn, bscope_to_nearest) \
  __BSCOPE_WHOLE(T, t, target, rz, bscope_to_zero)    \
  __BSCOPE_WHOLE(T, t, target, rd, bscope_down)       \
  __BSCOPE_WHOLE(T, t, target, ru, bscope_up)
__BSCOPE_ALL_WHOLE(short, i16, short)
__BSCOPE_ALL_WHOLE(unsigned short, u16, ushort)
__BSCOPE_ALL_WHOLE(int, i32, int)
__BSCOPE_ALL_WHOLE(unsigned, u32, uint)
__BSCOPE_ALL_WHOLE(long long, i64, ll)
__BSCOPE_ALL_WHOLE(unsigned long long, u64, ull)
__BSCOPE_WHOLE(signed char, i8, char, rz, bscope_to_zero)
__BSCOPE_WHOLE(unsigned char, u8, uchar, rz, bscope_to_zero)
__BSCOPE_BOTH short __BSCOPE_NAME(__, _as_short)(const __BSCOPE_T v) { return __builtin_bit_cast(short, v); }
__BSCOPE_BOTH unsigned short __BSCOPE_NAME(__, _as_ushort)(const __BSCOPE_T v) { return __BSCOPE_WORD(v); }
__BSCOPE_BOTH __BSCOPE_T __BSCOPE_NAME(__short_as_, )(const short v) {
  return __builtin_bit_cast(__BSCOPE_T, v);
}
__BSCOPE_BOTH __BSCOPE_T __BSCOPE_NAME(__ushort_as_, )(const unsigned short v) {
  return __builtin_bit_cast(__BSCOPE_T, v);
}

// ---- two in one
__BSCOPE_BOTH __BSCOPE_T2 __BSCOPE_NAME(make_, 2)(const __BSCOPE_T x, const __BSCOPE_T y) { return {x, y}; }
__BSCOPE_BOTH __BSCOPE_T2 __BSCOPE_NAME(__halves2, 2)(const __BSCOPE_T a, const __BSCOPE_T b) {
  return {a, b};
}
__BSCOPE_BOTH __BSCOPE_T2 __BSCOPE_JOIN(__BSCOPE_NAME(__, 2),
                                        __BSCOPE_JOIN(__BSCOPE_N, 2))(const __BSCOPE_T a) {
  return {a, a};
}
__BSCOPE_BOTH __BSCOPE_T2 __BSCOPE_NAME(__float2, 2_rn)(const float v) {
  const __BSCOPE_T a = __BSCOPE_NAME(__float2, _rn)(v);
  return {a, a};
}
__BSCOPE_BOTH __BSCOPE_T2 __BSCOPE_NAME(__floats2, 2_rn)(const float a, const float b) {
  return {__BSCOPE_NAME(__float2, _rn)(a), __BSCOPE_NAME(__float2, _rn)(b)};
}
__BSCOPE_BOTH __BSCOPE_T2 __BSCOPE_NAME(__float22, 2_rn)(const float2 v) {
  return __BSCOPE_NAME(__floats2, 2_rn)(v.x, v.y);
}
__BSCOPE_BOTH float2 __BSCOPE_NAME(__, 22float2)(const __BSCOPE_T2 v) {
  return {__BSCOPE_NAME(__, 2float)(v.x), __BSCOPE_NAME(__, 2float)(v.y)};
}
__BSCOPE_BOTH float __low2float(const __BSCOPE_T2 v) { return __BSCOPE_NAME(__, 2float)(v.x); }
__BSCOPE_BOTH float __high2float(const __BSCOPE_T2 v) { return __BSCOPE_NAME(__, 2float)(v.y); }
__BSCOPE_BOTH __BSCOPE_T __BSCOPE_NAME(__low2, )(const __BSCOPE_T2 v) { return v.x; }
__BSCOPE_BOTH __BSCOPE_T __BSCOPE_NAME(__high2, )(const __BSCOPE_T2 v) { return v.y; }
__BSCOPE_BOTH __BSCOPE_T2 __BSCOPE_NAME(__low2, 2)(const __BSCOPE_T2 v) { return {v.x, v.x}; }
__BSCOPE_BOTH __BSCOPE_T2 __BSCOPE_NAME(__high2, 2)(const __BSCOPE_T2 v) { return {v.y, v.y}; }
__BSCOPE_BOTH __BSCOPE_T2 __BSCOPE_NAME(__lows2, 2)(const __BSCOPE_T2 a, const __BSCOPE_T2 b) {
  return {a.x, b.x};
}
__BSCOPE_BOTH __BSCOPE_T2 __BSCOPE_NAME(__highs2, 2)(const __BSCOPE_T2 a, const __BSCOPE_T2 b) {
  return {a.y, b.y};
}
__BSCOPE_BOTH __BSCOPE_T2 __lowhigh2highlow(const __BSCOPE_T2 v) { return {v.y, v.x}; }

// ---- arithmetic
#define __BSCOPE_BINARY(name, packed, operation)                                   \
  __BSCOPE_BOTH __BSCOPE_T name(const __BSCOPE_T a, const __BSCOPE_T b) {          \
    return __BSCOPE_TWO(operation, a, b);                                          \
  }                                                                                \
  __BSCOPE_BOTH __BSCOPE_T2 packed(const __BSCOPE_T2 a, const __BSCOPE_T2 b) {     \
    return {__BSCOPE_TWO(operation, a.x, b.x), __BSCOPE_TWO(operation, a.y, b.y)}; \
  }
__BSCOPE_BINARY(__hadd, __hadd2, add)
__BSCOPE_BINARY(__hsub, __hsub2, sub)
__BSCOPE_BINARY(__hmul, __hmul2, mul)
__BSCOPE_BINARY(__hdiv, __h2div, div)
__BSCOPE_BINARY(__hadd_rn, __hadd2_rn, add)
__BSCOPE_BINARY(__hsub_rn, __hsub2_rn, sub)
__BSCOPE_BINARY(__hmul_rn, __hmul2_rn, mul)
__BSCOPE_BINARY(__hadd_sat, __hadd2_sat, add_sat)
__BSCOPE_BINARY(__hsub_sat, __hsub2_sat, sub_sat)
__BSCOPE_BINARY(__hmul_sat, __hmul2_sat, mul_sat)
__BSCOPE_BINARY(__hmin, __hmin2, min)
__BSCOPE_BINARY(__hmax, __hmax2, max)
__BSCOPE_BINARY(__hmin_nan, __hmin2_nan, min_nan)
__BSCOPE_BINARY(__hmax_nan, __hmax2_nan, max_nan)
#define __BSCOPE_SIGN(name, packed, operation)                                             \
  __BSCOPE_BOTH __BSCOPE_T name(const __BSCOPE_T a) { return __BSCOPE_ONE(operation, a); } \
  __BSCOPE_BOTH __BSCOPE_T2 packed(const __BSCOPE_T2 a) {                                  \
    return {__BSCOPE_ONE(operation, a.x), __BSCOPE_ONE(operation, a.y)};                   \
  }
__BSCOPE_SIGN(__hneg, __hneg2, neg)
__BSCOPE_SIGN(__habs, __habs2, abs)
#define __BSCOPE_FUSED(name, packed, operation)                                                     \
  __BSCOPE_BOTH __BSCOPE_T name(const __BSCOPE_T a, const __BSCOPE_T b, const __BSCOPE_T c) {       \
    return __BSCOPE_THREE(operation, a, b, c);                                                      \
  }                                                                                                 \
  __BSCOPE_BOTH __BSCOPE_T2 packed(const __BSCOPE_T2 a, const __BSCOPE_T2 b, const __BSCOPE_T2 c) { \
    return {__BSCOPE_THREE(operation, a.x, b.x, c.x), __BSCOPE_THREE(operation, a.y, b.y, c.y)};    \
  }
__BSCOPE_FUSED(__hfma, __hfma2, fma)
__BSCOPE_FUSED(__hfma_sat, __hfma2_sat, fma_sat)
__BSCOPE_FUSED(__hfma_relu, __hfma2_relu, fma_relu)
/// A complex product and a sum.
__BSCOPE_BOTH __BSCOPE_T2 __hcmadd(const __BSCOPE_T2 a, const __BSCOPE_T2 b, const __BSCOPE_T2 c) {
  const __BSCOPE_T real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
  return {__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary)};
}

// ---- comparisons
#define __BSCOPE_COMPARISON(operation)                                                                    \
  __BSCOPE_BOTH bool __h##operation(const __BSCOPE_T a, const __BSCOPE_T b) {                             \
    return __BSCOPE_ASK(operation, a, b);                                                                 \
  }                                                                                                       \
  __BSCOPE_BOTH bool __hb##operation##2(const __BSCOPE_T2 a, const __BSCOPE_T2 b) {                       \
    return __BSCOPE_ASK(operation, a.x, b.x) & __BSCOPE_ASK(operation, a.y, b.y);                         \
  }                                                                                                       \
  __BSCOPE_BOTH __BSCOPE_T2 __h##operation##2(const __BSCOPE_T2 a, const __BSCOPE_T2 b) {                 \
    return {__BSCOPE_NAME(__int2, _rn)(__BSCOPE_ASK(operation, a.x, b.x)),                                \
            __BSCOPE_NAME(__int2, _rn)(__BSCOPE_ASK(operation, a.y, b.y))};                               \
  }                                                                                                       \
  __BSCOPE_BOTH unsigned __h##operation##2_mask(const __BSCOPE_T2 a, const __BSCOPE_T2 b) {               \
    return __BSCOPE_ASK(operation, a.x, b.x) * 0xffffu | __BSCOPE_ASK(operation, a.y, b.y) * 0xffff0000u; \
  }
__BSCOPE_COMPARISON(eq)
__BSCOPE_COMPARISON(ne)
__BSCOPE_COMPARISON(lt)
__BSCOPE_COMPARISON(le)
__BSCOPE_COMPARISON(gt)
__BSCOPE_COMPARISON(ge)
__BSCOPE_COMPARISON(equ)
__BSCOPE_COMPARISON(neu)
__BSCOPE_COMPARISON(ltu)
__BSCOPE_COMPARISON(leu)
__BSCOPE_COMPARISON(gtu)
__BSCOPE_COMPARISON(geu)
__BSCOPE_BOTH bool __hisnan(const __BSCOPE_T a) { return __BSCOPE_ASK_ONE(bool, is_nan, a); }
__BSCOPE_BOTH __BSCOPE_T2 __hisnan2(const __BSCOPE_T2 a) {
  return {__BSCOPE_NAME(__int2, _rn)(__hisnan(a.x)), __BSCOPE_NAME(__int2, _rn)(__hisnan(a.y))};
}
__BSCOPE_BOTH int __hisinf(const __BSCOPE_T a) { return __BSCOPE_ASK_ONE(int, is_infinite, a); }

#ifdef __CUDA__
// ---- mathematics
#define __BSCOPE_FUNCTION(name, function)                                                   \
  __BSCOPE_DEVICE __BSCOPE_T h##name(const __BSCOPE_T a) {                                  \
    return __builtin_bit_cast(__BSCOPE_T, __BSCOPE_OWN(math_##function)(__BSCOPE_WORD(a))); \
  }                                                                                         \
  __BSCOPE_DEVICE __BSCOPE_T2 h2##name(const __BSCOPE_T2 a) { return {h##name(a.x), h##name(a.y)}; }
__BSCOPE_FUNCTION(sqrt, sqrt)
__BSCOPE_FUNCTION(rsqrt, rsqrt)
__BSCOPE_FUNCTION(exp, exp)
__BSCOPE_FUNCTION(exp2, exp2)
__BSCOPE_FUNCTION(exp10, exp10)
__BSCOPE_FUNCTION(log, log)
__BSCOPE_FUNCTION(log2, log2)
__BSCOPE_FUNCTION(log10, log10)
__BSCOPE_FUNCTION(sin, sin)
__BSCOPE_FUNCTION(cos, cos)
__BSCOPE_FUNCTION(tanh, tanh)
__BSCOPE_FUNCTION(tanh_approx, tanh)
__BSCOPE_FUNCTION(ceil, ceil)
__BSCOPE_FUNCTION(floor, floor)
__BSCOPE_FUNCTION(rint, rint)
__BSCOPE_FUNCTION(trunc, trunc)
__BSCOPE_DEVICE __BSCOPE_T hrcp(const __BSCOPE_T a) { return __hdiv(__BSCOPE_NAME(__int2, _rn)(1), a); }
__BSCOPE_DEVICE __BSCOPE_T2 h2rcp(const __BSCOPE_T2 a) { return {hrcp(a.x), hrcp(a.y)}; }

// ---- other lanes, and atomics
#define __BSCOPE_SHUFFLE(from, B)                                                                      \
  __BSCOPE_DEVICE __BSCOPE_T __shfl##from##_sync(unsigned mask, __BSCOPE_T v, B b, int width = 32) {   \
    return __builtin_bit_cast(__BSCOPE_T,                                                              \
                              __BSCOPE_OWN(shuffle##from)(mask, __BSCOPE_WORD(v), (int)b, width));     \
  }                                                                                                    \
  __BSCOPE_DEVICE __BSCOPE_T2 __shfl##from##_sync(unsigned mask, __BSCOPE_T2 v, B b, int width = 32) { \
    return {__shfl##from##_sync(mask, v.x, b, width), __shfl##from##_sync(mask, v.y, b, width)};       \
  }                                                                                                    \
  __BSCOPE_DEVICE __BSCOPE_T __shfl##from(__BSCOPE_T v, B b, int width = 32) {                         \
    return __shfl##from##_sync(__bscope_active_mask(), v, b, width);                                   \
  }                                                                                                    \
  __BSCOPE_DEVICE __BSCOPE_T2 __shfl##from(__BSCOPE_T2 v, B b, int width = 32) {                       \
    return __shfl##from##_sync(__bscope_active_mask(), v, b, width);                                   \
  }
__BSCOPE_SHUFFLE(, int)
__BSCOPE_SHUFFLE(_up, unsigned)
__BSCOPE_SHUFFLE(_down, unsigned)
__BSCOPE_SHUFFLE(_xor, int)
__BSCOPE_DEVICE __BSCOPE_T atomicAdd(__BSCOPE_T* const at, const __BSCOPE_T v) {
  return __builtin_bit_cast(__BSCOPE_T, __BSCOPE_OWN(atomic_add)((unsigned short*)at, __BSCOPE_WORD(v)));
}
/// Each of the two for itself, as on the GPU.
__BSCOPE_DEVICE __BSCOPE_T2 atomicAdd(__BSCOPE_T2* const at, const __BSCOPE_T2 v) {
  const __BSCOPE_T x = atomicAdd(&at->x, v.x), y = atomicAdd(&at->y, v.y);
  return {x, y};
}
#endif

#undef __BSCOPE_JOIN_2
#undef __BSCOPE_JOIN
#undef __BSCOPE_NAME_2
#undef __BSCOPE_NAME_1
#undef __BSCOPE_NAME
#undef __BSCOPE_OWN
#undef __BSCOPE_WORD
#undef __BSCOPE_ONE
#undef __BSCOPE_TWO
#undef __BSCOPE_THREE
#undef __BSCOPE_ASK
#undef __BSCOPE_ASK_ONE
#undef __BSCOPE_FROM
#undef __BSCOPE_TO
#undef __BSCOPE_HOST
#undef __BSCOPE_DECLARE_1
#undef __BSCOPE_DECLARE_2
#undef __BSCOPE_DECLARE_3
#undef __BSCOPE_DECLARE_QUESTION
#undef __BSCOPE_DECLARE_FROM
#undef __BSCOPE_DECLARE_TO
#undef __BSCOPE_DECLARE_SHUFFLE
#undef __BSCOPE_ARITHMETIC
#undef __BSCOPE_UNARY
#undef __BSCOPE_QUESTIONS
#undef __BSCOPE_ROUNDED
#undef __BSCOPE_ALL_ROUNDED
#undef __BSCOPE_FROM_SHORT
#undef __BSCOPE_WHOLE
#undef __BSCOPE_ALL_WHOLE
#undef __BSCOPE_BINARY
#undef __BSCOPE_SIGN
#undef __BSCOPE_FUSED
#undef __BSCOPE_COMPARISON
#undef __BSCOPE_FUNCTION
#undef __BSCOPE_SHUFFLE
