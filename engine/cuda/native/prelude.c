/* What native code is made of, behind the instructions' semantics (engine/cuda/machine/semantics.h): each step
 * of a walk as the interpreter does it, on bits that stand in 64. */
typedef struct bscope_thread thread;

/* ---- what builtins compute that is no instruction of LLVM's, as compute_add does */

OPERATION(first_one, a ? (uint64_t)__builtin_ctzll(a) + 1 : 0)
OPERATION(high_product, cut((uint64_t)((__int128)extended(a, bits) * extended(b, bits) >> bits), bits))
OPERATION(uhigh_product, cut((uint64_t)((unsigned __int128)a * b >> bits), bits))
OPERATION(count_up, a >= b ? 0 : a + 1)
OPERATION(count_down, a == 0 || a > b ? b : a - 1)
OPERATION(latter, b)
OPERATION_floating(fleast, y < x ? y : x)
OPERATION_floating(fgreatest, x < y ? y : x)
OPERATION(fused, bits == 64 ? of_f64(fma(f64(a), f64(b), f64(c))) : of_f32(fmaf(f32(a), f32(b), f32(c))))
OPERATION(reciprocal_root, of_number(1 / __builtin_sqrt(number(a, bits)), bits))
OPERATION(power_of_ten, of_number(pow(10, number(a, bits)), bits))

/* ---- memory */

/* Where an access of n bytes finds its memory; null: the interpreter has to see to it. */
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

/* The interpreter may have to look at local memory. */
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
