// Numbers of 8 bits: E4M3 (3 bits behind the point, no infinity) and E5M2 (2 bits). For programs' host code
// and for the interpreter.
#pragma once

#ifdef __CUDA__
#define __BSCOPE_FP8 static inline __attribute__((host, device))
#else
#define __BSCOPE_FP8 inline
#endif

__BSCOPE_FP8 int __bscope_fp8_bias(int fraction) { return fraction == 3 ? 7 : 15; }

/// The nearest number to a double's bits, to an even one between two.
__BSCOPE_FP8 unsigned char __bscope_fp8_of(unsigned long long bits, int fraction, bool saturates) {
  unsigned long long infinity = 0x7ffull << 52, magnitude = bits & ~(1ull << 63), hidden = 1ull << 52;
  unsigned sign = (unsigned)(bits >> 63) << 7;
  if (magnitude > infinity)
    return (unsigned char)(sign | (fraction == 3 ? 0x7fu : 0x7eu | (unsigned)(bits >> 50 & 3)));
  int bias = __bscope_fp8_bias(fraction), exponent = (int)(magnitude >> 52) - 1023;
  int kept_exponent = exponent < 1 - bias ? 1 - bias : exponent;
  int shift = 52 - fraction + kept_exponent - exponent;
  if (shift > 54) return (unsigned char)sign;
  unsigned long long significand = (magnitude & (hidden - 1)) | hidden, half = 1ull << (shift - 1);
  unsigned long long rest = significand & (2 * half - 1);
  unsigned code = (unsigned)(significand >> shift);
  code += rest > half || (rest == half && (code & 1));
  code += (unsigned)(kept_exponent + bias - 1) << fraction;
  unsigned largest = fraction == 3 ? 0x7e : 0x7b, beyond = fraction == 3 ? 0x7f : 0x7c;
  if (code > largest) code = saturates ? largest : beyond;
  return (unsigned char)(sign | code);
}

/// Its bits as a float's.
__BSCOPE_FP8 unsigned __bscope_fp8_as_float(unsigned char number, int fraction) {
  unsigned sign = (unsigned)(number >> 7) << 31, code = number & 0x7f;
  unsigned last = fraction == 3 ? 0x7f : 0x7c;  // the first that is no number, or infinity
  if (code >= last) return fraction == 2 && code == last ? sign | 0x7f800000u : 0x7fffe000u;
  int exponent = (int)(code >> fraction) - __bscope_fp8_bias(fraction);
  unsigned significand = code & ((1u << fraction) - 1);
  if (code >> fraction == 0) {
    if (significand == 0) return sign;
    for (++exponent; !(significand >> fraction); --exponent) significand *= 2;
    significand &= (1u << fraction) - 1;
  }
  return sign | (unsigned)(exponent + 127) << 23 | significand << (23 - fraction);
}

#undef __BSCOPE_FP8
