// Integer arithmetic: bits, products, least and greatest.
#pragma once

#include "qualifiers.h"

// ---- bits
#define __BSCOPE_BITS(T, t)                       \
  __BSCOPE_BUILTIN unsigned __bscope_popc_##t(T); \
  __BSCOPE_BUILTIN unsigned __bscope_clz_##t(T);  \
  __BSCOPE_BUILTIN unsigned __bscope_ffs_##t(T);  \
  __BSCOPE_BUILTIN T __bscope_brev_##t(T);
__BSCOPE_BITS(unsigned, u32)
__BSCOPE_BITS(unsigned long long, u64)
#undef __BSCOPE_BITS
__BSCOPE_DEVICE int __popc(unsigned v) { return (int)__bscope_popc_u32(v); }
__BSCOPE_DEVICE int __popcll(unsigned long long v) { return (int)__bscope_popc_u64(v); }
__BSCOPE_DEVICE int __clz(int v) { return (int)__bscope_clz_u32((unsigned)v); }
__BSCOPE_DEVICE int __clzll(long long v) { return (int)__bscope_clz_u64((unsigned long long)v); }
__BSCOPE_DEVICE int __ffs(int v) { return (int)__bscope_ffs_u32((unsigned)v); }
__BSCOPE_DEVICE int __ffsll(long long v) { return (int)__bscope_ffs_u64((unsigned long long)v); }
__BSCOPE_DEVICE unsigned __brev(unsigned v) { return __bscope_brev_u32(v); }
__BSCOPE_DEVICE unsigned long long __brevll(unsigned long long v) { return __bscope_brev_u64(v); }
__BSCOPE_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
__BSCOPE_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
__BSCOPE_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
__BSCOPE_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
__BSCOPE_DEVICE unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  unsigned long long both = (unsigned long long)high << 32 | low;
  unsigned made = 0;
  for (int byte = 0; byte < 4; ++byte)
    made |= ((unsigned)(both >> (8 * (selector >> (4 * byte) & 7))) & 0xff) << (8 * byte);
  return made;
}
/// The position of the n-th bit that is set, from `base` on (n > 0) or back from it (n < 0); all ones: there
/// is none.
__BSCOPE_DEVICE unsigned __fns(unsigned mask, unsigned base, int n) {
  if (n == 0) return mask >> base & 1 ? base : ~0u;
  int left = n > 0 ? n : -n, step = n > 0 ? 1 : -1;
  for (int bit = (int)base; bit >= 0 && bit < 32; bit += step)
    if (mask >> bit & 1 && --left == 0) return (unsigned)bit;
  return ~0u;
}

// ---- products and sums
__BSCOPE_BUILTIN int __bscope_mul_hi_i32(int, int);
__BSCOPE_BUILTIN unsigned __bscope_mul_hi_u32(unsigned, unsigned);
__BSCOPE_BUILTIN long long __bscope_mul_hi_i64(long long, long long);
__BSCOPE_BUILTIN unsigned long long __bscope_mul_hi_u64(unsigned long long, unsigned long long);
__BSCOPE_DEVICE int __mulhi(int a, int b) { return __bscope_mul_hi_i32(a, b); }
__BSCOPE_DEVICE unsigned __umulhi(unsigned a, unsigned b) { return __bscope_mul_hi_u32(a, b); }
__BSCOPE_DEVICE long long __mul64hi(long long a, long long b) { return __bscope_mul_hi_i64(a, b); }
__BSCOPE_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return __bscope_mul_hi_u64(a, b);
}
__BSCOPE_DEVICE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
__BSCOPE_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
__BSCOPE_DEVICE int mul24(int a, int b) { return __mul24(a, b); }
__BSCOPE_DEVICE unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
__BSCOPE_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__BSCOPE_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__BSCOPE_DEVICE unsigned __uhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b) >> 1);
}
__BSCOPE_DEVICE unsigned __urhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
__BSCOPE_DEVICE unsigned __sad(int a, int b, unsigned c) {
  return (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b) + c;
}
__BSCOPE_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
#define __BSCOPE_DOT(T, byte)                                                     \
  __BSCOPE_DEVICE T __dp4a(T a, T b, T sum) {                                     \
    for (int k = 0; k < 32; k += 8) sum += (T)(byte)(a >> k) * (T)(byte)(b >> k); \
    return sum;                                                                   \
  }
__BSCOPE_DOT(int, signed char)
__BSCOPE_DOT(unsigned, unsigned char)
#undef __BSCOPE_DOT

/// Two halves of `a` times two bytes of `b`: the lower two, or the upper.
#define __BSCOPE_DOT(T, half, byte)                                                \
  __BSCOPE_DEVICE T __dp2a_lo(T a, T b, T sum) {                                   \
    return sum + (T)(half)a * (T)(byte)b + (T)(half)(a >> 16) * (T)(byte)(b >> 8); \
  }                                                                                \
  __BSCOPE_DEVICE T __dp2a_hi(T a, T b, T sum) { return __dp2a_lo(a, b >> 16, sum); }
__BSCOPE_DOT(int, short, signed char)
__BSCOPE_DOT(unsigned, unsigned short, unsigned char)
#undef __BSCOPE_DOT

// ---- least and greatest, also of two types; the host has them too
#define __BSCOPE_LEAST(T, t)                 \
  __BSCOPE_BUILTIN T __bscope_min_##t(T, T); \
  __BSCOPE_BUILTIN T __bscope_max_##t(T, T);
__BSCOPE_NUMBERS(__BSCOPE_LEAST)
#undef __BSCOPE_LEAST
#define __BSCOPE_MIN(R, A, B, t)                                               \
  __BSCOPE_DEVICE R min(A a, B b) { return (R)__bscope_min_##t(a, b); }        \
  __BSCOPE_DEVICE R max(A a, B b) { return (R)__bscope_max_##t(a, b); }        \
  static inline __host__ R min(A a, B b) { return (R)b < (R)a ? (R)b : (R)a; } \
  static inline __host__ R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
#define __BSCOPE_MIN_MIXED(R, B, t) __BSCOPE_MIN(R, R, R, t) __BSCOPE_MIN(R, R, B, t) __BSCOPE_MIN(R, B, R, t)
// min(int, int) and max(int, int) on the device are clang's (__clang_cuda_math.h)
static inline __host__ int min(int a, int b) { return b < a ? b : a; }
static inline __host__ int max(int a, int b) { return a < b ? b : a; }
__BSCOPE_MIN_MIXED(unsigned, int, u32)
__BSCOPE_MIN_MIXED(unsigned long, long, u64)
__BSCOPE_MIN_MIXED(unsigned long long, long long, u64)
__BSCOPE_MIN(long, long, long, i64)
__BSCOPE_MIN(long long, long long, long long, i64)
__BSCOPE_MIN(float, float, float, f32)
__BSCOPE_MIN_MIXED(double, float, f64)
#undef __BSCOPE_MIN
#undef __BSCOPE_MIN_MIXED
