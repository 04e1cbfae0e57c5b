/* What native code is made of: each step of a walk (engine/cuda/machine/code.hpp) as the walker does it, on bits
 * that stand in 64. Nothing is undefined: what engine/cuda/machine/arithmetic.cpp says of a division by zero or of
 * a number too large holds here, too; tests hold the two against each other. */
#include <math.h>

#define INLINE static inline __attribute__((always_inline))
typedef struct bscope_thread thread;

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

/* ---- integers */

INLINE uint64_t do_add(uint64_t a, uint64_t b, int bits) { return cut(a + b, bits); }
INLINE uint64_t do_sub(uint64_t a, uint64_t b, int bits) { return cut(a - b, bits); }
INLINE uint64_t do_mul(uint64_t a, uint64_t b, int bits) { return cut(a * b, bits); }
INLINE uint64_t do_udiv(uint64_t a, uint64_t b, int bits) {
  if (!b) return cut(~0ull, bits);
  return bits <= 32 ? (uint32_t)a / (uint32_t)b : a / b;
}
INLINE uint64_t do_urem(uint64_t a, uint64_t b, int bits) {
  if (!b) return a;
  return bits <= 32 ? (uint32_t)a % (uint32_t)b : a % b;
}
INLINE uint64_t do_sdiv(uint64_t a, uint64_t b, int bits) {
  const int64_t p = extended(a, bits), q = extended(b, bits);
  if (q == 0) return cut(~0ull, bits);
  if (q == -1) return cut(0 - a, bits);
  return bits <= 32 ? cut((uint64_t)(int64_t)((int32_t)p / (int32_t)q), bits) : (uint64_t)(p / q);
}
INLINE uint64_t do_srem(uint64_t a, uint64_t b, int bits) {
  const int64_t p = extended(a, bits), q = extended(b, bits);
  if (q == 0) return a;
  if (q == -1) return 0;
  return bits <= 32 ? cut((uint64_t)(int64_t)((int32_t)p % (int32_t)q), bits) : (uint64_t)(p % q);
}
INLINE uint64_t do_shl(uint64_t a, uint64_t b, int bits) { return b < (uint64_t)bits ? cut(a << b, bits) : 0; }
INLINE uint64_t do_lshr(uint64_t a, uint64_t b, int bits) { return b < (uint64_t)bits ? a >> b : 0; }
INLINE uint64_t do_ashr(uint64_t a, uint64_t b, int bits) {
  const uint64_t most = (uint64_t)bits - 1;
  return cut((uint64_t)(extended(a, bits) >> (b < most ? b : most)), bits);
}
INLINE uint64_t do_and(uint64_t a, uint64_t b, int bits) { return a & b; }
INLINE uint64_t do_or(uint64_t a, uint64_t b, int bits) { return a | b; }
INLINE uint64_t do_xor(uint64_t a, uint64_t b, int bits) { return a ^ b; }

INLINE uint64_t least(uint64_t a, uint64_t b, int bits) { return extended(a, bits) < extended(b, bits) ? a : b; }
INLINE uint64_t greatest(uint64_t a, uint64_t b, int bits) { return extended(a, bits) < extended(b, bits) ? b : a; }
INLINE uint64_t uleast(uint64_t a, uint64_t b, int bits) { return a < b ? a : b; }
INLINE uint64_t ugreatest(uint64_t a, uint64_t b, int bits) { return a < b ? b : a; }
INLINE uint64_t absolute(uint64_t a, int bits) { return extended(a, bits) < 0 ? cut(0 - a, bits) : a; }
INLINE uint64_t ones(uint64_t a, int bits) { return (uint64_t)__builtin_popcountll(a); }
INLINE uint64_t zeros_above(uint64_t a, int bits) { return a ? (uint64_t)(__builtin_clzll(a) - (64 - bits)) : (uint64_t)bits; }
INLINE uint64_t zeros_below(uint64_t a, int bits) { return a ? (uint64_t)__builtin_ctzll(a) : (uint64_t)bits; }
INLINE uint64_t first_one(uint64_t a, int bits) { return a ? (uint64_t)__builtin_ctzll(a) + 1 : 0; }
INLINE uint64_t high_product(uint64_t a, uint64_t b, int bits) {
  return cut((uint64_t)((__int128)extended(a, bits) * extended(b, bits) >> bits), bits);
}
INLINE uint64_t uhigh_product(uint64_t a, uint64_t b, int bits) {
  return cut((uint64_t)((unsigned __int128)a * b >> bits), bits);
}
/* Is the result too large for its width? */
#define OVERFLOWS(name, operation)                                                     \
  INLINE uint64_t s##name##_overflows(uint64_t a, uint64_t b, int bits) {              \
    int64_t r;                                                                         \
    return operation(extended(a, bits), extended(b, bits), &r) || extended((uint64_t)r, bits) != r; \
  }                                                                                    \
  INLINE uint64_t u##name##_overflows(uint64_t a, uint64_t b, int bits) {              \
    uint64_t r;                                                                        \
    return operation(a, b, &r) || cut(r, bits) != r;                                   \
  }
OVERFLOWS(add, __builtin_add_overflow)
OVERFLOWS(sub, __builtin_sub_overflow)
OVERFLOWS(mul, __builtin_mul_overflow)
INLINE uint64_t count_up(uint64_t a, uint64_t b, int bits) { return a >= b ? 0 : a + 1; }
INLINE uint64_t count_down(uint64_t a, uint64_t b, int bits) { return a == 0 || a > b ? b : a - 1; }
INLINE uint64_t latter(uint64_t a, uint64_t b, int bits) { return b; }

/* ---- floating point */

#define OF_TWO(name, expression_of)                                    \
  INLINE uint64_t name(uint64_t a, uint64_t b, int bits) {             \
    if (bits == 64) {                                                  \
      const double x = f64(a), y = f64(b);                             \
      return of_f64(expression_of);                                    \
    }                                                                  \
    const float x = f32(a), y = f32(b);                                \
    return of_f32(expression_of);                                      \
  }
OF_TWO(do_fadd, x + y)
OF_TWO(do_fsub, x - y)
OF_TWO(do_fmul, x * y)
OF_TWO(do_fdiv, x / y)
OF_TWO(fleast, y < x ? y : x)
OF_TWO(fgreatest, x < y ? y : x)
INLINE uint64_t do_frem(uint64_t a, uint64_t b, int bits) {
  return bits == 64 ? of_f64(fmod(f64(a), f64(b))) : of_f32(fmodf(f32(a), f32(b)));
}
INLINE uint64_t negated(uint64_t a, int bits) { return of_number(-number(a, bits), bits); }
INLINE uint64_t fused(uint64_t a, uint64_t b, uint64_t c, int bits) {
  return bits == 64 ? of_f64(fma(f64(a), f64(b), f64(c))) : of_f32(fmaf(f32(a), f32(b), f32(c)));
}
INLINE uint64_t reciprocal_root(uint64_t a, int bits) { return of_number(1 / __builtin_sqrt(number(a, bits)), bits); }
INLINE uint64_t power_of_ten(uint64_t a, int bits) { return of_number(pow(10, number(a, bits)), bits); }

/* ---- comparisons */

#define COMPARES(name, type_of, operation) \
  INLINE uint64_t is_##name(uint64_t a, uint64_t b, int bits) { return type_of(a, bits) operation type_of(b, bits); }
#define PLAIN(a, bits) (a)
COMPARES(eq, PLAIN, ==)
COMPARES(ne, PLAIN, !=)
COMPARES(ugt, PLAIN, >)
COMPARES(uge, PLAIN, >=)
COMPARES(ult, PLAIN, <)
COMPARES(ule, PLAIN, <=)
COMPARES(sgt, extended, >)
COMPARES(sge, extended, >=)
COMPARES(slt, extended, <)
COMPARES(sle, extended, <=)
COMPARES(oeq, number, ==)
COMPARES(ogt, number, >)
COMPARES(oge, number, >=)
COMPARES(olt, number, <)
COMPARES(ole, number, <=)
COMPARES(une, number, !=)
INLINE uint64_t is_uno(uint64_t a, uint64_t b, int bits) {
  return __builtin_isunordered(number(a, bits), number(b, bits));
}
INLINE uint64_t is_ord(uint64_t a, uint64_t b, int bits) { return !is_uno(a, b, bits); }
INLINE uint64_t is_one(uint64_t a, uint64_t b, int bits) { return is_ord(a, b, bits) & is_une(a, b, bits); }
INLINE uint64_t is_ueq(uint64_t a, uint64_t b, int bits) { return !is_one(a, b, bits); }
INLINE uint64_t is_ugt_or_nan(uint64_t a, uint64_t b, int bits) { return !is_ole(a, b, bits); }
INLINE uint64_t is_uge_or_nan(uint64_t a, uint64_t b, int bits) { return !is_olt(a, b, bits); }
INLINE uint64_t is_ult_or_nan(uint64_t a, uint64_t b, int bits) { return !is_oge(a, b, bits); }
INLINE uint64_t is_ule_or_nan(uint64_t a, uint64_t b, int bits) { return !is_ogt(a, b, bits); }
INLINE uint64_t is_yes(uint64_t a, uint64_t b, int bits) { return 1; }
INLINE uint64_t is_no(uint64_t a, uint64_t b, int bits) { return 0; }

/* ---- casts */

/* To the nearest whole number towards zero, and no further than the type goes. */
INLINE uint64_t to_integer(double v, int bits, int with_sign) {
  const double beyond = (double)(1ull << (bits - 1)) * (with_sign ? 1 : 2), below = with_sign ? -beyond : 0;
  if (v != v) return 0;
  if (v <= below) return with_sign ? 1ull << (bits - 1) : 0;
  if (v >= beyond) return cut(~0ull, with_sign ? bits - 1 : bits);
  return cut(with_sign ? (uint64_t)(int64_t)v : (uint64_t)v, bits);
}
INLINE uint64_t to_trunc(uint64_t a, int from, int bits) { return cut(a, bits); }
INLINE uint64_t to_zext(uint64_t a, int from, int bits) { return cut(a, bits); }
INLINE uint64_t to_same(uint64_t a, int from, int bits) { return cut(a, bits); }
INLINE uint64_t to_sext(uint64_t a, int from, int bits) { return cut((uint64_t)extended(a, from), bits); }
INLINE uint64_t to_fptrunc(uint64_t a, int from, int bits) { return of_number(number(a, from), bits); }
INLINE uint64_t to_fpext(uint64_t a, int from, int bits) { return of_number(number(a, from), bits); }
INLINE uint64_t to_fptoui(uint64_t a, int from, int bits) { return to_integer(number(a, from), bits, 0); }
INLINE uint64_t to_fptosi(uint64_t a, int from, int bits) { return to_integer(number(a, from), bits, 1); }
INLINE uint64_t to_uitofp(uint64_t a, int from, int bits) { return bits == 64 ? of_f64((double)a) : of_f32((float)a); }
INLINE uint64_t to_sitofp(uint64_t a, int from, int bits) {
  return bits == 64 ? of_f64((double)extended(a, from)) : of_f32((float)extended(a, from));
}

/* ---- memory */

/* Where an access of n bytes finds its memory; null: the walker has to see to it. */
INLINE uint8_t* found(const thread* t, uint8_t* local, const uint8_t* valid, int site, uint64_t a, uint64_t n,
                      uint64_t unit) {
  if (FRAME && a >> 44 == LOCAL_BASE >> 44) {
    const uint64_t at = a - LOCAL_BASE;
    if (at >= FRAME || n > FRAME - at || !valid[at] || !valid[at + n - 1]) return 0;
    return local + at;
  }
  const struct bscope_site* const s = &t->sites[site];
  const uint64_t at = a - s->begin;
  if (at >= s->room || at % unit) return 0;
  uint8_t* const p = (uint8_t*)(a + s->shift + t->bases[s->base]);
  if (!p) __builtin_unreachable();
  return p;
}

INLINE uint64_t read_bytes(const uint8_t* p, uint64_t n, int is_volatile) {
#define AS(type) is_volatile ? *(const volatile type*)p : *(const type*)p
  switch (n) {
    case 1: return AS(uint8_t);
    case 2: return AS(uint16_t);
    case 4: return AS(uint32_t);
    default: return AS(uint64_t);
  }
#undef AS
}
INLINE void write_bytes(uint8_t* p, uint64_t n, uint64_t v, int is_volatile) {
#define AS(type) if (is_volatile) *(volatile type*)p = (type)v; else *(type*)p = (type)v
  switch (n) {
    case 1: AS(uint8_t); break;
    case 2: AS(uint16_t); break;
    case 4: AS(uint32_t); break;
    default: AS(uint64_t); break;
  }
#undef AS
}

/* The walker may have to look at local memory. */
#define SHOW (t->local = local, t->valid = valid, t->local_bytes = FRAME)
#define LEAVE(step, line) (SHOW, t->leave(t, step, line))
#define OUTSIDE (LOCAL_BASE + (1ull << 43))

#define LOAD(to, site, step, n, is_volatile, line, address)                              \
  {                                                                                      \
    const uint64_t a_ = address;                                                         \
    const uint8_t* const p_ = found(t, local, valid, site, a_, n, n);                    \
    if (__builtin_expect(p_ != 0, 1)) {                                                  \
      to = read_bytes(p_, n, is_volatile);                                               \
    } else {                                                                             \
      t->values[0] = a_;                                                                 \
      t->leave(t, step, line);                                                           \
      to = t->values[bscope_results];                                                    \
    }                                                                                    \
  }
#define STORE(site, step, n, is_volatile, line, address, value)                          \
  {                                                                                      \
    const uint64_t a_ = address, v_ = value;                                             \
    uint8_t* const p_ = found(t, local, valid, site, a_, n, n);                          \
    if (__builtin_expect(p_ != 0, 1)) {                                                  \
      write_bytes(p_, n, v_, is_volatile);                                               \
    } else {                                                                             \
      t->values[0] = a_, t->values[1] = v_;                                              \
      t->leave(t, step, line);                                                           \
    }                                                                                    \
  }
/* `next`: what is left there, of `was` and `operand`. */
#define ATOMIC(to, site, step, n, line, address, given, other, next)                     \
  {                                                                                      \
    const uint64_t a_ = address, operand = given, wanted = other;                        \
    uint8_t* const p_ = found(t, local, valid, site, a_, n, n);                          \
    if (__builtin_expect(p_ != 0, 1)) {                                                  \
      const uint64_t was = read_bytes(p_, n, 1);                                         \
      write_bytes(p_, n, next, 1);                                                       \
      to = was;                                                                          \
    } else {                                                                             \
      t->values[0] = a_, t->values[1] = operand, t->values[2] = wanted;                  \
      LEAVE(step, line);                                                                 \
      to = t->values[bscope_results];                                                    \
    }                                                                                    \
  }
#define COPY(site, step, n, line, to, from)                                              \
  {                                                                                      \
    const uint64_t a_ = to, b_ = from;                                                   \
    uint8_t* const p_ = found(t, local, valid, site, a_, n, 1);                          \
    const uint8_t* const q_ = found(t, local, valid, site + 1, b_, n, 1);                \
    if (__builtin_expect(p_ && q_, 1)) {                                                 \
      __builtin_memmove(p_, q_, n);                                                      \
    } else {                                                                             \
      t->values[0] = a_, t->values[1] = b_, t->values[2] = n;                            \
      LEAVE(step, line);                                                                 \
    }                                                                                    \
  }
/* Of a variable that nobody else has the address of: a C array; its address is the offset. */
#define OWN_LOAD(to, own, step, n, line, offset)                                         \
  {                                                                                      \
    const uint64_t a_ = offset;                                                          \
    if (__builtin_expect(n <= sizeof own && a_ <= sizeof own - n, 1)) {                                     \
      uint64_t v_ = 0;                                                                   \
      __builtin_memcpy(&v_, own + a_, n);                                                \
      to = v_;                                                                           \
    } else {                                                                             \
      t->values[0] = OUTSIDE;                                                            \
      t->leave(t, step, line);                                                           \
      __builtin_unreachable();                                                           \
    }                                                                                    \
  }
#define OWN_STORE(own, step, n, line, offset, value)                                     \
  {                                                                                      \
    const uint64_t a_ = offset, v_ = value;                                              \
    if (__builtin_expect(n <= sizeof own && a_ <= sizeof own - n, 1)) {                                     \
      __builtin_memcpy(own + a_, &v_, n);                                                \
    } else {                                                                             \
      t->values[0] = OUTSIDE;                                                            \
      t->leave(t, step, line);                                                           \
      __builtin_unreachable();                                                           \
    }                                                                                    \
  }
/* A variable in local memory, from `begin` of this call's part on. */
#define NEW_LOCAL(to, begin, n)                      \
  __builtin_memset(local + frame + begin, 0, n);     \
  __builtin_memset(valid + frame + begin, 1, n);     \
  to = LOCAL_BASE + frame + begin

#define TURN(line)                           \
  if (__builtin_expect(--turns_ == 0, 0)) {  \
    turns_ = bscope_turns;                   \
    t->look(t, bscope_turns, line);          \
  }
/* Of a loop that may wait for what another thread writes: others get their turn. */
#define WAITING_TURN(line)                   \
  if (--turns_ % 16 == 0) {                  \
    if (!turns_) turns_ = bscope_turns;      \
    t->look(t, 16, line);                    \
  }
