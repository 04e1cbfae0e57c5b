/* Numbers of 16 bits with a fraction, on their bits, as GPUs compute with them: half precision, with 10 bits
 * of fraction, and bfloat16, with 7. `fraction` says which. Each result is rounded once. Numbers too small
 * for a full fraction are kept, and every NaN that is computed is 0x7fff.
 *
 * It is C and C++: the trace reads such values, the interpreter and native code compute them, and the host
 * code of users' programs does, too (engine/cuda/include/cuda_fp16.h). */
#ifndef BARRIERSCOPE_SMALL_FLOATS_H
#define BARRIERSCOPE_SMALL_FLOATS_H
#include <math.h>
#include <stdint.h>

#define BSCOPE_SMALL static inline __attribute__((always_inline, unused))
/* What operations take: up to three operands, the last ones 0 where there are fewer. */
#define BSCOPE_SMALL_OPERATION(name)                                            \
  BSCOPE_SMALL uint64_t bscope_small_##name(uint64_t a __attribute__((unused)), \
                                            uint64_t b __attribute__((unused)), \
                                            uint64_t c __attribute__((unused)), int fraction)

/* How what does not fit is rounded: CUDA's _rn, _rz, _rd and _ru. */
enum { bscope_to_nearest, bscope_to_zero, bscope_down, bscope_up };
#define BSCOPE_SMALL_NAN 0x7fffu
#define BSCOPE_SMALL_SIGN 0x8000u

BSCOPE_SMALL uint64_t bscope_small_infinity(int fraction) { return 0x7fffu >> fraction << fraction; }
BSCOPE_SMALL int bscope_small_bias(int fraction) { return (1 << (14 - fraction)) - 1; }
BSCOPE_SMALL uint64_t bscope_small_one(int fraction) {
  return (uint64_t)bscope_small_bias(fraction) << fraction;
}
BSCOPE_SMALL int bscope_is_small_nan(uint64_t bits, int fraction) {
  return (bits & 0x7fff) > bscope_small_infinity(fraction);
}

BSCOPE_SMALL double bscope_double_of(uint64_t bits) {
  double v;
  __builtin_memcpy(&v, &bits, sizeof v);
  return v;
}
BSCOPE_SMALL uint64_t bscope_bits_of(double v) {
  uint64_t bits;
  __builtin_memcpy(&bits, &v, sizeof v);
  return bits;
}
BSCOPE_SMALL double bscope_power_of_two(int exponent) {
  return bscope_double_of((uint64_t)(exponent + 1023) << 52);
}

/* The number that bits mean. Exact. */
BSCOPE_SMALL double bscope_small_value(uint64_t bits, int fraction) {
  const uint64_t size = bits & 0x7fff, parts = size & ((1u << fraction) - 1), sign = (bits & 0x8000) << 48;
  const int exponent = (int)(size >> fraction), bias = bscope_small_bias(fraction);
  if (size >= bscope_small_infinity(fraction))
    return bscope_double_of(sign | 0x7ffull << 52 | (parts ? 1ull << 51 : 0));
  if (!exponent) {
    const double v = (double)parts * bscope_power_of_two(1 - bias - fraction);
    return sign ? -v : v;
  }
  return bscope_double_of(sign | (uint64_t)(exponent - bias + 1023) << 52 | parts << (52 - fraction));
}

/* What is left of a number that is too large. */
BSCOPE_SMALL uint64_t bscope_small_overflow(uint64_t sign, int fraction, int rounding) {
  const int stays = rounding == bscope_to_zero || rounding == (sign ? bscope_up : bscope_down);
  return sign | (bscope_small_infinity(fraction) - (uint64_t)stays);
}

/* The bits of a number, rounded. */
BSCOPE_SMALL uint64_t bscope_small_of(double v, int fraction, int rounding) {
  const uint64_t bits = bscope_bits_of(v), sign = bits >> 48 & 0x8000, size = bits & ~(1ull << 63);
  if (v != v) return BSCOPE_SMALL_NAN;
  if (size >> 52 == 0x7ff) return sign | bscope_small_infinity(fraction);
  if (!size) return sign;
  const int exponent = (int)(size >> 52) - 1023, least = 1 - bscope_small_bias(fraction);
  const uint64_t digits = (size & ((1ull << 52) - 1)) | (exponent > -1023 ? 1ull << 52 : 0);
  int left_out = 52 - fraction + (exponent < least ? least - exponent : 0);
  if (left_out > 60) left_out = 60; /* nothing but a rest */
  const uint64_t rest = digits & ((1ull << left_out) - 1), middle = 1ull << (left_out - 1);
  uint64_t kept = digits >> left_out;
  switch (rounding) {
    case bscope_to_nearest: kept += rest > middle || (rest == middle && (kept & 1)); break;
    case bscope_down: kept += rest && sign; break;
    case bscope_up: kept += rest && !sign; break;
    default: break;
  }
  if (exponent > least) kept += (uint64_t)(exponent - least) << fraction;
  if (kept >= bscope_small_infinity(fraction)) return bscope_small_overflow(sign, fraction, rounding);
  return sign | kept;
}

/* ---- arithmetic. A double holds each sum and product of half precision, and it has more than twice the
 * digits of either type, so that rounding its quotient, root or sum again gives what rounding once does. */

BSCOPE_SMALL_OPERATION(add) {
  return bscope_small_of(bscope_small_value(a, fraction) + bscope_small_value(b, fraction), fraction,
                         bscope_to_nearest);
}
BSCOPE_SMALL_OPERATION(sub) {
  return bscope_small_of(bscope_small_value(a, fraction) - bscope_small_value(b, fraction), fraction,
                         bscope_to_nearest);
}
BSCOPE_SMALL_OPERATION(mul) {
  return bscope_small_of(bscope_small_value(a, fraction) * bscope_small_value(b, fraction), fraction,
                         bscope_to_nearest);
}
BSCOPE_SMALL_OPERATION(div) {
  return bscope_small_of(bscope_small_value(a, fraction) / bscope_small_value(b, fraction), fraction,
                         bscope_to_nearest);
}
/* The product is exact. The sum is rounded to the neighbour whose last bit is 1 (to odd), where it is not
 * exact, so that the rounding that follows sees on which side of a middle the exact sum lies. */
BSCOPE_SMALL_OPERATION(fma) {
  const double p = bscope_small_value(a, fraction) * bscope_small_value(b, fraction),
               q = bscope_small_value(c, fraction), sum = p + q;
  const double part = sum - p, error = (p - (sum - part)) + (q - part);
  uint64_t bits = bscope_bits_of(sum);
  if (sum - sum == 0 && error != 0 && !(bits & 1)) bits += (error > 0) == (sum > 0) ? 1 : (uint64_t)-1;
  return bscope_small_of(bscope_double_of(bits), fraction, bscope_to_nearest);
}
/* Between 0 and 1; a NaN becomes 0. */
BSCOPE_SMALL uint64_t bscope_small_saturated(uint64_t bits, int fraction) {
  if (bits & BSCOPE_SMALL_SIGN || bscope_is_small_nan(bits, fraction)) return 0;
  return bits < bscope_small_one(fraction) ? bits : bscope_small_one(fraction);
}
BSCOPE_SMALL_OPERATION(add_sat) {
  return bscope_small_saturated(bscope_small_add(a, b, 0, fraction), fraction);
}
BSCOPE_SMALL_OPERATION(sub_sat) {
  return bscope_small_saturated(bscope_small_sub(a, b, 0, fraction), fraction);
}
BSCOPE_SMALL_OPERATION(mul_sat) {
  return bscope_small_saturated(bscope_small_mul(a, b, 0, fraction), fraction);
}
BSCOPE_SMALL_OPERATION(fma_sat) {
  return bscope_small_saturated(bscope_small_fma(a, b, c, fraction), fraction);
}
/* Not below 0. */
BSCOPE_SMALL_OPERATION(fma_relu) {
  const uint64_t bits = bscope_small_fma(a, b, c, fraction);
  return bits & BSCOPE_SMALL_SIGN ? 0 : bits;
}
BSCOPE_SMALL_OPERATION(neg) {
  return bscope_is_small_nan(a, fraction) ? BSCOPE_SMALL_NAN : a ^ BSCOPE_SMALL_SIGN;
}
BSCOPE_SMALL_OPERATION(abs) { return bscope_is_small_nan(a, fraction) ? BSCOPE_SMALL_NAN : a & 0x7fff; }

/* ---- order. -0 is less than 0 for minimum and maximum, and equal to it for comparisons. */

/* A whole number that grows with the value. */
BSCOPE_SMALL int64_t bscope_small_rank(uint64_t bits) {
  const int64_t size = (int64_t)(bits & 0x7fff);
  return bits & BSCOPE_SMALL_SIGN ? -size - 1 : size;
}
BSCOPE_SMALL_OPERATION(min_nan) {
  if (bscope_is_small_nan(a, fraction) || bscope_is_small_nan(b, fraction)) return BSCOPE_SMALL_NAN;
  return bscope_small_rank(b) < bscope_small_rank(a) ? b : a;
}
BSCOPE_SMALL_OPERATION(max_nan) {
  if (bscope_is_small_nan(a, fraction) || bscope_is_small_nan(b, fraction)) return BSCOPE_SMALL_NAN;
  return bscope_small_rank(a) < bscope_small_rank(b) ? b : a;
}
/* Of a number and a NaN the number. */
BSCOPE_SMALL_OPERATION(min) {
  if (bscope_is_small_nan(a, fraction)) return bscope_is_small_nan(b, fraction) ? BSCOPE_SMALL_NAN : b;
  return bscope_is_small_nan(b, fraction) ? a : bscope_small_min_nan(a, b, 0, fraction);
}
BSCOPE_SMALL_OPERATION(max) {
  if (bscope_is_small_nan(a, fraction)) return bscope_is_small_nan(b, fraction) ? BSCOPE_SMALL_NAN : b;
  return bscope_is_small_nan(b, fraction) ? a : bscope_small_max_nan(a, b, 0, fraction);
}
/* With a NaN these are false, and those that end in u are true. */
#define BSCOPE_SMALL_COMPARISON(name, comparison)                                          \
  BSCOPE_SMALL_OPERATION(name) {                                                           \
    const double x = bscope_small_value(a, fraction), y = bscope_small_value(b, fraction); \
    return comparison;                                                                     \
  }
BSCOPE_SMALL_COMPARISON(eq, x == y)
BSCOPE_SMALL_COMPARISON(ne, x<y || x> y)
BSCOPE_SMALL_COMPARISON(lt, x < y)
BSCOPE_SMALL_COMPARISON(le, x <= y)
BSCOPE_SMALL_COMPARISON(gt, x > y)
BSCOPE_SMALL_COMPARISON(ge, x >= y)
BSCOPE_SMALL_COMPARISON(equ, !(x < y || x > y))
BSCOPE_SMALL_COMPARISON(neu, x != y)
BSCOPE_SMALL_COMPARISON(ltu, !(x >= y))
BSCOPE_SMALL_COMPARISON(leu, !(x > y))
BSCOPE_SMALL_COMPARISON(gtu, !(x <= y))
BSCOPE_SMALL_COMPARISON(geu, !(x < y))
#undef BSCOPE_SMALL_COMPARISON
BSCOPE_SMALL_OPERATION(is_nan) { return (uint64_t)bscope_is_small_nan(a, fraction); }
/* 1, or -1 below zero, of 32 bits. */
BSCOPE_SMALL_OPERATION(is_infinite) {
  if ((a & 0x7fff) != bscope_small_infinity(fraction)) return 0;
  return a & BSCOPE_SMALL_SIGN ? 0xffffffffu : 1;
}

/* ---- conversions; b is how they round */

/* A whole number of up to 64 bits: what a double cannot hold becomes a bit that stands for the rest. */
BSCOPE_SMALL uint64_t bscope_small_of_size(uint64_t size, int is_negative, int fraction, int rounding) {
  const double v = size >> 53 ? (double)(size >> 11 | ((size & 2047) != 0)) * 2048 : (double)size;
  return bscope_small_of(is_negative ? -v : v, fraction, rounding);
}
BSCOPE_SMALL_OPERATION(from_u64) { return bscope_small_of_size(a, 0, fraction, (int)b); }
BSCOPE_SMALL_OPERATION(from_i64) {
  const int is_negative = a >> 63 != 0;
  return bscope_small_of_size(is_negative ? 0 - a : a, is_negative, fraction, (int)b);
}
BSCOPE_SMALL_OPERATION(from_u32) { return bscope_small_from_u64((uint32_t)a, b, 0, fraction); }
BSCOPE_SMALL_OPERATION(from_i32) {
  return bscope_small_from_i64((uint64_t)(int64_t)(int32_t)a, b, 0, fraction);
}
/* A NaN of a double becomes the quiet one, not BSCOPE_SMALL_NAN. */
BSCOPE_SMALL_OPERATION(from_f64) {
  double v = bscope_double_of(a);
  if (v != v) return BSCOPE_SMALL_NAN & ~((1ull << (fraction - 1)) - 1);
  return bscope_small_of(v, fraction, (int)b);
}
BSCOPE_SMALL_OPERATION(from_f32) {
  const uint32_t word = (uint32_t)a;
  float v;
  __builtin_memcpy(&v, &word, sizeof v);
  return bscope_small_of((double)v, fraction, (int)b);
}
BSCOPE_SMALL_OPERATION(to_f32) {
  const float v = (float)bscope_small_value(a, fraction);
  uint32_t word;
  __builtin_memcpy(&word, &v, sizeof v);
  return v != v ? 0x7fffffffu : word;
}
/* The nearest that the type has. What is no number is 0, or of 64 bits only the first bit. */
BSCOPE_SMALL uint64_t bscope_small_to_integer(uint64_t a, int rounding, int bits, int with_sign,
                                              int fraction) {
  const double v = bscope_small_value(a, fraction);
  const double whole = rounding == bscope_to_nearest ? __builtin_rint(v)
                       : rounding == bscope_down     ? __builtin_floor(v)
                       : rounding == bscope_up       ? __builtin_ceil(v)
                                                     : __builtin_trunc(v);
  const uint64_t ones = bits == 64 ? ~0ull : (1ull << bits) - 1, first = 1ull << (bits - 1);
  const double beyond = (double)first * (with_sign ? 1 : 2);
  if (v != v) return bits == 64 ? first : 0;
  if (whole >= beyond) return with_sign ? ones >> 1 : ones;
  if (!with_sign) return whole <= 0 ? 0 : (uint64_t)whole;
  return whole <= -beyond ? first : (uint64_t)(int64_t)whole & ones;
}
#define BSCOPE_SMALL_TO(name, bits, with_sign) \
  BSCOPE_SMALL_OPERATION(name) { return bscope_small_to_integer(a, (int)b, bits, with_sign, fraction); }
BSCOPE_SMALL_TO(to_i8, 8, 1)
BSCOPE_SMALL_TO(to_u8, 8, 0)
BSCOPE_SMALL_TO(to_i16, 16, 1)
BSCOPE_SMALL_TO(to_u16, 16, 0)
BSCOPE_SMALL_TO(to_i32, 32, 1)
BSCOPE_SMALL_TO(to_u32, 32, 0)
BSCOPE_SMALL_TO(to_i64, 64, 1)
BSCOPE_SMALL_TO(to_u64, 64, 0)
#undef BSCOPE_SMALL_TO

#undef BSCOPE_SMALL
#undef BSCOPE_SMALL_OPERATION
#endif
