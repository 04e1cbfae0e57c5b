/* What instructions compute, on the bits of scalars, as the GPU does it: nothing is undefined. It is C and
 * C++: the interpreter calls these functions, and native code begins with them. The functions of instructions
 * themselves, compute_add and its like, are made of the rows of engine/cuda/ir/instructions.def. */
#ifdef __cplusplus
#pragma once
#endif
#include <math.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline, unused))
#ifdef __cplusplus
namespace bscope::cuda::semantics {
#endif

/* ---- bits and numbers */

INLINE uint64_t cut(uint64_t v, int bits) { return bits >= 64 ? v : v & ((1ull << bits) - 1); }
INLINE int64_t extended(uint64_t v, int bits) { return (int64_t)(v << (64 - bits)) >> (64 - bits); }
INLINE float f32(uint64_t bits) {
  const uint32_t word = (uint32_t)bits;
  float v;
  __builtin_memcpy(&v, &word, 4);
  return v;
}
INLINE double f64(uint64_t bits) {
  double v;
  __builtin_memcpy(&v, &bits, 8);
  return v;
}
INLINE uint64_t of_f32(float v) {
  uint32_t word;
  __builtin_memcpy(&word, &v, 4);
  return word;
}
INLINE uint64_t of_f64(double v) {
  uint64_t bits;
  __builtin_memcpy(&bits, &v, 8);
  return bits;
}
INLINE double number(uint64_t bits, int width) { return width == 64 ? f64(bits) : (double)f32(bits); }
INLINE uint64_t of_number(double v, int width) { return width == 64 ? of_f64(v) : of_f32((float)v); }

/* The bits of what is computed of floats. Every NaN among them is this one, as on an H200; a double's has the
 * sign and the payload that it has on x86, there too. */
INLINE uint64_t computed_f32(float v) { return v != v ? 0x7fffffff : of_f32(v); }
INLINE uint64_t computed_number(double v, int width) {
  return width == 64 ? of_f64(v) : computed_f32((float)v);
}
/* A NaN keeps its sign. */
INLINE uint64_t negated(uint64_t a, int width) {
  const double v = number(a, width);
  return computed_number(v != v ? v : -v, width);
}

/* ---- integers */

INLINE uint64_t unsigned_quotient(uint64_t a, uint64_t b, int bits) {
  if (!b) return ~0ull;
  return bits <= 32 ? (uint32_t)a / (uint32_t)b : a / b;
}
INLINE uint64_t unsigned_remainder(uint64_t a, uint64_t b, int bits) {
  if (!b) return a;
  return bits <= 32 ? (uint32_t)a % (uint32_t)b : a % b;
}
INLINE uint64_t signed_quotient(uint64_t a, uint64_t b, int bits) {
  const int64_t p = extended(a, bits), q = extended(b, bits);
  if (q == 0) return ~0ull;
  if (q == -1) return 0 - a;
  return bits <= 32 ? (uint64_t)(int64_t)((int32_t)p / (int32_t)q) : (uint64_t)(p / q);
}
INLINE uint64_t signed_remainder(uint64_t a, uint64_t b, int bits) {
  const int64_t p = extended(a, bits), q = extended(b, bits);
  if (q == 0) return a;
  if (q == -1) return 0;
  return bits <= 32 ? (uint64_t)(int64_t)((int32_t)p % (int32_t)q) : (uint64_t)(p % q);
}
INLINE uint64_t bits_reversed(uint64_t a, int bits) {
  uint64_t r = 0;
  for (int k = 0; k < bits; ++k) r |= (a >> k & 1) << (bits - 1 - k);
  return r;
}
INLINE uint64_t bytes_reversed(uint64_t a, int bits) {
  uint64_t r = 0;
  for (int k = 0; k < bits; k += 8) r |= (a >> k & 255) << (bits - 8 - k);
  return r;
}
/* The upper (or lower) word of two behind one another, shifted to the left (right). */
INLINE uint64_t funnel_left(uint64_t high, uint64_t low, uint64_t by, int bits) {
  by %= (uint64_t)bits;
  return by ? high << by | low >> ((uint64_t)bits - by) : high;
}
INLINE uint64_t funnel_right(uint64_t high, uint64_t low, uint64_t by, int bits) {
  by %= (uint64_t)bits;
  return by ? high << ((uint64_t)bits - by) | low >> by : low;
}
/* Of an exact result: is it too large for a signed number of so many bits, and the nearest that is not. */
INLINE int overflows(__int128 exact, int bits) {
  return exact >> (bits - 1) != 0 && exact >> (bits - 1) != -1;
}
INLINE uint64_t saturated(__int128 exact, int bits) {
  const uint64_t greatest = (1ull << (bits - 1)) - 1;
  return !overflows(exact, bits) ? (uint64_t)exact : exact < 0 ? ~greatest : greatest;
}

/* ---- casts */

/* To the nearest whole number towards zero, and no further than the type goes. */
INLINE uint64_t to_integer(double v, int bits, int with_sign) {
  const double beyond = (double)(1ull << (bits - 1)) * (with_sign ? 1 : 2), below = with_sign ? -beyond : 0;
  if (v != v) return 0;
  if (v <= below) return with_sign ? 1ull << (bits - 1) : 0;
  if (v >= beyond) return cut(~0ull, with_sign ? bits - 1 : bits);
  return cut(with_sign ? (uint64_t)(int64_t)v : (uint64_t)v, bits);
}

/* Whether the number is of one of the classes, LLVM's FPClassTest: from bit 0 on a NaN that signals and one
 * that is quiet, -infinity, -normal, -subnormal, -0, 0, subnormal, normal, infinity. */
INLINE uint64_t is_of_class(uint64_t a, uint64_t classes, int width) {
  const int fraction = width == 64 ? 52 : width == 32 ? 23 : 0;
  const uint64_t significand = cut(a, fraction), exponent = cut(a, width - 1) >> fraction;
  const int negative = a >> (width - 1) & 1;
  if (exponent == cut(~0ull, width - 1 - fraction)) {
    if (significand) return classes >> (significand >> (fraction - 1) & 1) & 1;
    return classes >> (negative ? 2 : 9) & 1;
  }
  const int smaller = exponent ? 0 : significand ? 1 : 2;
  return classes >> (negative ? 3 + smaller : 8 - smaller) & 1;
}

/* ---- instructions */

#define OPERANDS                                                          \
  uint64_t a __attribute__((unused)), uint64_t b __attribute__((unused)), \
      uint64_t c __attribute__((unused)), int from __attribute__((unused)), int bits __attribute__((unused))
#define OPERATION(name, ...) \
  INLINE uint64_t name(OPERANDS) { return __VA_ARGS__; }
/* Of floats or doubles: x and y. */
#define OPERATION_OF_NUMBERS(name, of_double, of_float, ...)                               \
  INLINE uint64_t name(OPERANDS) {                                                         \
    if (bits == 64) {                                                                      \
      const double x __attribute__((unused)) = f64(a), y __attribute__((unused)) = f64(b); \
      return of_double(__VA_ARGS__);                                                       \
    }                                                                                      \
    const float x __attribute__((unused)) = f32(a), y __attribute__((unused)) = f32(b);    \
    return of_float(__VA_ARGS__);                                                          \
  }
#define OF_FLOAT(...) computed_f32((float)(__VA_ARGS__))

#define OPERATION_integer(name, ...) OPERATION(name, cut((__VA_ARGS__), bits))
#define OPERATION_floating(name, ...) OPERATION_OF_NUMBERS(name, of_f64, OF_FLOAT, __VA_ARGS__)
#define OPERATION_unary OPERATION
#define OPERATION_icmp OPERATION
#define OPERATION_fcmp(name, ...) OPERATION_OF_NUMBERS(name, (uint64_t), (uint64_t), __VA_ARGS__)
#define OPERATION_cast OPERATION
#define OPERATION_call_of_1 OPERATION_integer
#define OPERATION_call_of_2 OPERATION_integer
#define OPERATION_call_of_3 OPERATION_integer
#define OPERATION_overflow OPERATION
#define COMPUTE(id, name, form, event, kind, ...) OPERATION_##form(compute_##id, __VA_ARGS__)
#ifdef __cplusplus
#include "engine/cuda/ir/instructions.def"

}  // namespace bscope::cuda::semantics
#undef INLINE
#undef OPERANDS
#undef OPERATION
#undef OPERATION_OF_NUMBERS
#undef OF_FLOAT
#endif
