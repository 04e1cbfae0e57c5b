// cuRAND's generators in kernels: XORWOW, Philox 4x32-10 and MRG32k3a, and their distributions. The numbers
// are NVIDIA's.
#pragma once
#define CURAND_KERNEL_H_
#include "curand.h"

#ifdef __CUDA__
#define __BSCOPE_RANDOM static __inline__ __device__

__BSCOPE_BUILTIN unsigned __bscope_xorwow_skipped(unsigned, unsigned, unsigned, unsigned, unsigned,
                                                  unsigned long long count, int power, int which);
__BSCOPE_BUILTIN unsigned __bscope_philox(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                          int which);
__BSCOPE_BUILTIN unsigned __bscope_mrg_skipped(unsigned, unsigned, unsigned, int first,
                                               unsigned long long count, int power, int which);

/// The second of two normal numbers, which are made together: whether it is there, and what it is.
struct __bscope_second_normal {
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  int unused;
  double boxmuller_extra_double;
};
struct curandStateXORWOW : __bscope_second_normal {
  unsigned int d, v[5];
};
struct curandStatePhilox4_32_10 : __bscope_second_normal {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
};
struct curandStateMRG32k3a : __bscope_second_normal {
  unsigned int s1[3], s2[3];
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

__BSCOPE_RANDOM void __bscope_no_normal(__bscope_second_normal* s) {
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->unused = 0;
  s->boxmuller_extra_double = 0;
}

// ---- XORWOW
__BSCOPE_RANDOM void __bscope_skip(curandStateXORWOW* s, unsigned long long count, int power) {
  if (count == 0) return;
  const unsigned a = s->v[0], b = s->v[1], c = s->v[2], d = s->v[3], e = s->v[4];
  for (int k = 0; k < 5; ++k) s->v[k] = __bscope_xorwow_skipped(a, b, c, d, e, count, power, k);
}
__BSCOPE_RANDOM void skipahead(unsigned long long count, curandStateXORWOW* s) {
  __bscope_skip(s, count, 0);
  s->d += 362437u * (unsigned)count;
}
__BSCOPE_RANDOM void skipahead_sequence(unsigned long long count, curandStateXORWOW* s) {
  __bscope_skip(s, count, 67);
}
__BSCOPE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateXORWOW* s) {
  const unsigned a = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
  const unsigned b = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
  s->d = 6615241u + b + a;
  s->v[0] = 123456789u + a;
  s->v[1] = 362436069u ^ a;
  s->v[2] = 521288629u + b;
  s->v[3] = 88675123u ^ b;
  s->v[4] = 5783321u + a;
  skipahead_sequence(subsequence, s);
  skipahead(offset, s);
  __bscope_no_normal(s);
}
__BSCOPE_RANDOM unsigned int curand(curandStateXORWOW* s) {
  const unsigned t = s->v[0] ^ (s->v[0] >> 2), last = s->v[4];
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = last;
  const unsigned next = last ^ (last << 4) ^ t ^ (t << 1);
  s->v[4] = next;
  s->d += 362437u;
  return next + s->d;
}

// ---- Philox 4x32-10: `output` holds the numbers of the counter, and STATE which of them comes next
__BSCOPE_RANDOM void __bscope_philox_block(curandStatePhilox4_32_10* s) {
  const uint4 c = s->ctr;
  const uint2 key = s->key;
  s->output.x = __bscope_philox(c.x, c.y, c.z, c.w, key.x, key.y, 0);
  s->output.y = __bscope_philox(c.x, c.y, c.z, c.w, key.x, key.y, 1);
  s->output.z = __bscope_philox(c.x, c.y, c.z, c.w, key.x, key.y, 2);
  s->output.w = __bscope_philox(c.x, c.y, c.z, c.w, key.x, key.y, 3);
}
__BSCOPE_RANDOM void __bscope_philox_count(curandStatePhilox4_32_10* s, unsigned long long count) {
  const unsigned long long low = (unsigned long long)s->ctr.y << 32 | s->ctr.x, sum = low + count;
  s->ctr.x = (unsigned)sum;
  s->ctr.y = (unsigned)(sum >> 32);
  if (sum < low && ++s->ctr.z == 0) ++s->ctr.w;
}
__BSCOPE_RANDOM void skipahead(unsigned long long count, curandStatePhilox4_32_10* s) {
  const unsigned state = s->STATE + (unsigned)(count & 3);
  s->STATE = state & 3;
  __bscope_philox_count(s, count / 4 + state / 4);
  __bscope_philox_block(s);
}
__BSCOPE_RANDOM void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10* s) {
  const unsigned long long sum = ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + count;
  s->ctr.z = (unsigned)sum;
  s->ctr.w = (unsigned)(sum >> 32);
  __bscope_philox_block(s);
}
__BSCOPE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStatePhilox4_32_10* s) {
  s->ctr = make_uint4(0, 0, 0, 0);
  s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
  s->STATE = 0;
  skipahead_sequence(subsequence, s);
  skipahead(offset, s);
  __bscope_no_normal(s);
}
__BSCOPE_RANDOM unsigned int curand(curandStatePhilox4_32_10* s) {
  const unsigned which = s->STATE;
  const unsigned number = which == 0   ? s->output.x
                          : which == 1 ? s->output.y
                          : which == 2 ? s->output.z
                                       : s->output.w;
  s->STATE = which + 1;
  if (which == 3) {
    __bscope_philox_count(s, 1);
    __bscope_philox_block(s);
    s->STATE = 0;
  }
  return number;
}
__BSCOPE_RANDOM uint4 curand4(curandStatePhilox4_32_10* s) {
  const uint4 a = s->output;
  __bscope_philox_count(s, 1);
  __bscope_philox_block(s);
  const uint4 b = s->output;
  switch (s->STATE) {
    case 1: return make_uint4(a.y, a.z, a.w, b.x);
    case 2: return make_uint4(a.z, a.w, b.x, b.y);
    case 3: return make_uint4(a.w, b.x, b.y, b.z);
    default: return a;
  }
}

// ---- MRG32k3a
__BSCOPE_RANDOM void __bscope_skip(curandStateMRG32k3a* s, unsigned long long count, int power) {
  if (count == 0) return;
  const unsigned a = s->s1[0], b = s->s1[1], c = s->s1[2], d = s->s2[0], e = s->s2[1], f = s->s2[2];
  for (int k = 0; k < 3; ++k) s->s1[k] = __bscope_mrg_skipped(a, b, c, 1, count, power, k);
  for (int k = 0; k < 3; ++k) s->s2[k] = __bscope_mrg_skipped(d, e, f, 0, count, power, k);
}
__BSCOPE_RANDOM void skipahead(unsigned long long count, curandStateMRG32k3a* s) {
  __bscope_skip(s, count, 0);
}
__BSCOPE_RANDOM void skipahead_subsequence(unsigned long long count, curandStateMRG32k3a* s) {
  __bscope_skip(s, count, 76);
}
__BSCOPE_RANDOM void skipahead_sequence(unsigned long long count, curandStateMRG32k3a* s) {
  __bscope_skip(s, count, 127);
}
__BSCOPE_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateMRG32k3a* s) {
  const unsigned long long low = seed ? (unsigned)seed ^ 0x55555555u : 1,
                           high = seed ? (unsigned)(seed >> 32) ^ 0xaaaaaaaau : 1;
  for (int k = 0; k < 3; ++k) {
    s->s1[k] = (unsigned)((k == 1 ? high : low) * 12345 % 4294967087ull);
    s->s2[k] = (unsigned)((k == 1 ? low : high) * 12345 % 4294944443ull);
  }
  skipahead_subsequence(subsequence, s);
  skipahead(offset, s);
  __bscope_no_normal(s);
}
/// From 1 to 2^32 - 209.
__BSCOPE_RANDOM double curand_MRG32k3a(curandStateMRG32k3a* s) {
  const unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
  const unsigned long long a = (1403580ull * s->s1[1] + 810728ull * (m1 - s->s1[0])) % m1;
  const unsigned long long b = (527612ull * s->s2[2] + 1370589ull * (m2 - s->s2[0])) % m2;
  s->s1[0] = s->s1[1];
  s->s1[1] = s->s1[2];
  s->s1[2] = (unsigned)a;
  s->s2[0] = s->s2[1];
  s->s2[1] = s->s2[2];
  s->s2[2] = (unsigned)b;
  return (double)(a <= b ? a + m1 - b : a - b);
}
__BSCOPE_RANDOM unsigned int curand(curandStateMRG32k3a* s) {
  return (unsigned)(curand_MRG32k3a(s) * 1.000000048662);
}

// ---- between 0 and 1: 0 never, 1 at times
#define __BSCOPE_STEP 2.3283064e-10f                /* 2^-32 */
#define __BSCOPE_STEP_DOUBLE 1.1102230246251565e-16 /* 2^-53 */
__BSCOPE_RANDOM float __bscope_share(unsigned x) { return x * __BSCOPE_STEP + __BSCOPE_STEP / 2; }
__BSCOPE_RANDOM double __bscope_share(unsigned low, unsigned high) {
  const unsigned long long bits = low ^ ((unsigned long long)high << 21);
  return bits * __BSCOPE_STEP_DOUBLE + __BSCOPE_STEP_DOUBLE / 2;
}
__BSCOPE_RANDOM float curand_uniform(curandStateXORWOW* s) { return __bscope_share(curand(s)); }
__BSCOPE_RANDOM float curand_uniform(curandStatePhilox4_32_10* s) { return __bscope_share(curand(s)); }
__BSCOPE_RANDOM float curand_uniform(curandStateMRG32k3a* s) {
  return (float)(curand_MRG32k3a(s) * 2.3283065498378288e-10);
}
__BSCOPE_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10* s) {
  const uint4 x = curand4(s);
  return make_float4(__bscope_share(x.x), __bscope_share(x.y), __bscope_share(x.z), __bscope_share(x.w));
}
__BSCOPE_RANDOM double curand_uniform_double(curandStateXORWOW* s) {
  const unsigned x = curand(s), y = curand(s);
  return __bscope_share(x, y);
}
__BSCOPE_RANDOM double curand_uniform_double(curandStatePhilox4_32_10* s) {
  return curand(s) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
__BSCOPE_RANDOM double curand_uniform_double(curandStateMRG32k3a* s) {
  return curand_MRG32k3a(s) * 2.3283065498378288e-10;
}
__BSCOPE_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10* s) {
  const uint4 x = curand4(s);
  return make_double2(__bscope_share(x.x, x.y), __bscope_share(x.z, x.w));
}
__BSCOPE_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10* s) {
  const double2 a = curand_uniform2_double(s), b = curand_uniform2_double(s);
  return make_double4(a.x, a.y, b.x, b.y);
}

// ---- normal, by Box and Muller: two at a time
__BSCOPE_RANDOM float2 __bscope_normals(float length, float angle) {
  float2 made;
  __sincosf(angle, &made.x, &made.y);
  const float s = sqrtf(-2.0f * logf(length));
  made.x *= s;
  made.y *= s;
  return made;
}
__BSCOPE_RANDOM float2 __bscope_normals(unsigned x, unsigned y) {
  const float turn = __BSCOPE_STEP * 6.2831855f;
  return __bscope_normals(__bscope_share(x), y * turn + turn / 2);
}
/// `angle`: in half turns.
__BSCOPE_RANDOM double2 __bscope_normals(double length, double angle) {
  double2 made;
  sincospi(angle, &made.x, &made.y);
  const double s = sqrt(-2.0 * log(length));
  made.x *= s;
  made.y *= s;
  return made;
}
__BSCOPE_RANDOM double2 __bscope_normals(unsigned x, unsigned y, unsigned z, unsigned w) {
  const unsigned long long bits = z ^ ((unsigned long long)w << 21);
  return __bscope_normals(__bscope_share(x, y), bits * (__BSCOPE_STEP_DOUBLE * 2) + __BSCOPE_STEP_DOUBLE);
}
template <class State>
__BSCOPE_RANDOM float2 curand_normal2(State* s) {
  const unsigned x = curand(s), y = curand(s);
  return __bscope_normals(x, y);
}
__BSCOPE_RANDOM float2 curand_normal2(curandStateMRG32k3a* s) {
  const float x = curand_uniform(s), y = curand_uniform(s);
  return __bscope_normals(x, y * 6.2831855f);
}
__BSCOPE_RANDOM float4 curand_normal4(curandStatePhilox4_32_10* s) {
  const uint4 x = curand4(s);
  const float2 a = __bscope_normals(x.x, x.y), b = __bscope_normals(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
__BSCOPE_RANDOM double2 curand_normal2_double(curandStateXORWOW* s) {
  const unsigned x = curand(s), y = curand(s), z = curand(s), w = curand(s);
  return __bscope_normals(x, y, z, w);
}
__BSCOPE_RANDOM double2 curand_normal2_double(curandStatePhilox4_32_10* s) {
  const uint4 x = curand4(s);
  return __bscope_normals(x.x, x.y, x.z, x.w);
}
__BSCOPE_RANDOM double2 curand_normal2_double(curandStateMRG32k3a* s) {
  const double x = curand_uniform_double(s), y = curand_uniform_double(s);
  return __bscope_normals(x, y * 2);
}
__BSCOPE_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10* s) {
  const double2 a = curand_normal2_double(s), b = curand_normal2_double(s);
  return make_double4(a.x, a.y, b.x, b.y);
}
// The state keeps the second of two, and of which distribution it is.
enum { __bscope_normal_kept = 1, __bscope_log_normal_kept = 2 };
template <class State, class Change>
__BSCOPE_RANDOM float __bscope_of_two(State* s, int kind, Change change) {
  if (s->boxmuller_flag == kind) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  const float2 two = curand_normal2(s);
  s->boxmuller_extra = change(two.y);
  s->boxmuller_flag = kind;
  return change(two.x);
}
template <class State, class Change>
__BSCOPE_RANDOM double __bscope_of_two_double(State* s, int kind, Change change) {
  if (s->boxmuller_flag_double == kind) {
    s->boxmuller_flag_double = 0;
    return s->boxmuller_extra_double;
  }
  const double2 two = curand_normal2_double(s);
  s->boxmuller_extra_double = change(two.y);
  s->boxmuller_flag_double = kind;
  return change(two.x);
}
template <class State>
__BSCOPE_RANDOM float curand_normal(State* s) {
  return __bscope_of_two(s, __bscope_normal_kept, [](float v) { return v; });
}
template <class State>
__BSCOPE_RANDOM double curand_normal_double(State* s) {
  return __bscope_of_two_double(s, __bscope_normal_kept, [](double v) { return v; });
}
template <class State>
__BSCOPE_RANDOM float curand_log_normal(State* s, float mean, float deviation) {
  return __bscope_of_two(s, __bscope_log_normal_kept, [=](float v) { return expf(mean + deviation * v); });
}
template <class State>
__BSCOPE_RANDOM double curand_log_normal_double(State* s, double mean, double deviation) {
  return __bscope_of_two_double(s, __bscope_log_normal_kept,
                                [=](double v) { return exp(mean + deviation * v); });
}
template <class State>
__BSCOPE_RANDOM float2 curand_log_normal2(State* s, float mean, float deviation) {
  const float2 v = curand_normal2(s);
  return make_float2(expf(mean + deviation * v.x), expf(mean + deviation * v.y));
}
template <class State>
__BSCOPE_RANDOM double2 curand_log_normal2_double(State* s, double mean, double deviation) {
  const double2 v = curand_normal2_double(s);
  return make_double2(exp(mean + deviation * v.x), exp(mean + deviation * v.y));
}
__BSCOPE_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10* s, float mean, float deviation) {
  const float2 a = curand_log_normal2(s, mean, deviation), b = curand_log_normal2(s, mean, deviation);
  return make_float4(a.x, a.y, b.x, b.y);
}

// ---- Poisson, by Knuth's product of uniform numbers, and for large means by a normal number
template <class State>
__BSCOPE_RANDOM unsigned int curand_poisson(State* s, double mean) {
  if (mean > 4000) return (unsigned)(sqrt(mean) * curand_normal_double(s) + mean + 0.5);
  unsigned count = 0;
  if (mean < 64) {
    for (float p = expf((float)mean) * curand_uniform(s); p > 1.0f; ++count) p *= curand_uniform(s);
    return count;
  }
  // e^mean is no float: its product is made of parts
  double left = mean;
  for (float p = 1;; ++count) {
    p *= curand_uniform(s);
    while (p < 1 && left > 0) {
      const double part = left < 32 ? left : 32;
      p *= expf((float)part);
      left -= part;
    }
    if (p <= 1) return count;
  }
}
template <class State>
__BSCOPE_RANDOM uint4 curand_poisson4(State* s, double mean) {
  uint4 made;
  made.x = curand_poisson(s, mean);
  made.y = curand_poisson(s, mean);
  made.z = curand_poisson(s, mean);
  made.w = curand_poisson(s, mean);
  return made;
}
#undef __BSCOPE_STEP
#undef __BSCOPE_STEP_DOUBLE
#undef __BSCOPE_RANDOM
#endif
