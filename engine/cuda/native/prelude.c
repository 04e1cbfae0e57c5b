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
OPERATION(fused, bits == 64 ? of_f64(__builtin_fma(f64(a), f64(b), f64(c)))
                               : of_f32(__builtin_fmaf(f32(a), f32(b), f32(c))))
OPERATION(reciprocal_root, of_number(1 / __builtin_sqrt(number(a, bits)), bits))
OPERATION(power_of_ten, of_number(pow(10, number(a, bits)), bits))

/* ---- memory */

/* What an access knows of its memory, as far as the machine's bscope_site tells. A kernel keeps a copy of all
 * in variables of its own: a compiler may hold them in registers, whatever is written to memory. */
struct found {
  uint64_t begin, room;
  uint8_t* memory;
};
INLINE struct found known(const thread* t, int site) {
  const struct bscope_site* const s = &t->sites[site];
  return (struct found){s->begin, s->room, (uint8_t*)(uintptr_t)(s->begin + s->shift + t->bases[s->base])};
}
#if COPIES_SITES
#define SITE(site) (&sites[site])
#define KNOW(site) sites[site] = known(t, site)
#else
#define SITE(site) ((const struct found[]){known(t, site)})
#define KNOW(site) (void)0
#endif

/* Where an access of n bytes finds its memory; null: the interpreter has to see to it. */
INLINE uint8_t* place_of(const struct found* s, uint8_t* local, const uint8_t* valid, uint64_t a, uint64_t n,
                         uint64_t unit) {
  if (FRAME && a >> 44 == LOCAL_BASE >> 44) {
    const uint64_t at = a - LOCAL_BASE;
    if (at >= FRAME || n > FRAME - at || !valid[at] || !valid[at + n - 1]) return 0;
    return local + at;
  }
  const uint64_t at = a - s->begin;
  if (at >= s->room || at % unit) return 0;
  uint8_t* const p = s->memory + at;
  if (!p) __builtin_unreachable();
  return p;
}

/* Calls of the machine are rare, and loops hold what they need in registers over them. */
#if defined(__x86_64__) || defined(__aarch64__)
#define RARE static __attribute__((noinline, cold, unused, preserve_all))
#else
#define RARE static __attribute__((noinline, cold, unused))
#endif
RARE void leave(thread* t, int32_t step, uint32_t line) { t->leave(t, step, line); }
RARE void look(thread* t, uint32_t turns, uint32_t line) { t->look(t, turns, line); }

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
#define LEAVE(step, line) (SHOW, leave(t, step, line))
#define OUTSIDE (LOCAL_BASE + (1ull << 43))

#define LOAD(to, site, step, n, is_volatile, line, address)                              \
  {                                                                                      \
    const uint64_t a_ = address;                                                         \
    const uint8_t* const p_ = place_of(SITE(site), local, valid, a_, n, n);                    \
    if (__builtin_expect(p_ != 0, 1)) {                                                  \
      to = read_bytes(p_, n, is_volatile);                                               \
    } else {                                                                             \
      t->values[0] = a_;                                                                 \
      leave(t, step, line);                                                           \
      KNOW(site);                                                                        \
      to = t->values[bscope_results];                                                    \
    }                                                                                    \
  }
#define STORE(site, step, n, is_volatile, line, address, value)                          \
  {                                                                                      \
    const uint64_t a_ = address, v_ = value;                                             \
    uint8_t* const p_ = place_of(SITE(site), local, valid, a_, n, n);                          \
    if (__builtin_expect(p_ != 0, 1)) {                                                  \
      write_bytes(p_, n, v_, is_volatile);                                               \
    } else {                                                                             \
      t->values[0] = a_, t->values[1] = v_;                                              \
      leave(t, step, line);                                                           \
      KNOW(site);                                                                        \
    }                                                                                    \
  }
/* `next`: what is left there, of `was` and `operand`. */
#define ATOMIC(to, site, step, n, line, address, given, other, next)                     \
  {                                                                                      \
    const uint64_t a_ = address, operand = given, wanted = other;                        \
    uint8_t* const p_ = place_of(SITE(site), local, valid, a_, n, n);                          \
    if (__builtin_expect(p_ != 0, 1)) {                                                  \
      const uint64_t was = read_bytes(p_, n, 1);                                         \
      write_bytes(p_, n, next, 1);                                                       \
      to = was;                                                                          \
    } else {                                                                             \
      t->values[0] = a_, t->values[1] = operand, t->values[2] = wanted;                  \
      LEAVE(step, line);                                                                 \
      KNOW(site);                                                                        \
      to = t->values[bscope_results];                                                    \
    }                                                                                    \
  }
#define COPY(site, step, n, line, to, from)                                              \
  {                                                                                      \
    const uint64_t a_ = to, b_ = from;                                                   \
    uint8_t* const p_ = place_of(SITE(site), local, valid, a_, n, 1);                          \
    const uint8_t* const q_ = place_of(SITE(site + 1), local, valid, b_, n, 1);                \
    if (__builtin_expect(p_ && q_, 1)) {                                                 \
      __builtin_memmove(p_, q_, n);                                                      \
    } else {                                                                             \
      t->values[0] = a_, t->values[1] = b_, t->values[2] = n;                            \
      LEAVE(step, line);                                                                 \
      KNOW(site);                                                                        \
      KNOW(site + 1);                                                                    \
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
      leave(t, step, line);                                                           \
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
      leave(t, step, line);                                                           \
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
    look(t, bscope_turns, line);          \
  }
/* Of a loop that may wait for what another thread writes: others get their turn. */
#define WAITING_TURN(line)                   \
  if (--turns_ % 16 == 0) {                  \
    if (!turns_) turns_ = bscope_turns;      \
    look(t, 16, line);                    \
  }

/* ---- the same without the interpreter, for loops over threads that a compiler makes vectors of: an access
 * that does not find its memory is skipped, and says so in bad_ */

#define QUICK(site, n, unit, address)                                                    \
  const uint64_t at_ = (address) - sites[site].begin;                                    \
  uint8_t* const p_ = sites[site].memory + at_;                                          \
  const int good_ = at_ < sites[site].room && at_ % unit == 0
#define QUICK_LOAD(to, site, n, is_volatile, address)                                    \
  {                                                                                      \
    QUICK(site, n, n, address);                                                          \
    if (good_) to = read_bytes(p_, n, is_volatile); else to = 0, *bad_ = 1;              \
  }
#define QUICK_STORE(site, n, is_volatile, address, value)                                \
  {                                                                                      \
    const uint64_t v_ = value;                                                           \
    QUICK(site, n, n, address);                                                          \
    if (good_) { write_bytes(p_, n, v_, is_volatile); } else { *bad_ = 1; }              \
  }
#define QUICK_ATOMIC(to, site, n, address, given, other, next)                           \
  {                                                                                      \
    const uint64_t operand = given, wanted = other;                                      \
    QUICK(site, n, n, address);                                                          \
    if (good_) {                                                                         \
      const uint64_t was = read_bytes(p_, n, 0);                                         \
      write_bytes(p_, n, next, 0);                                                       \
      to = was;                                                                          \
    } else {                                                                             \
      to = 0, *bad_ = 1;                                                                 \
    }                                                                                    \
  }
#define QUICK_OWN_LOAD(to, own, n, offset)                                               \
  {                                                                                      \
    const uint64_t a_ = offset;                                                          \
    uint64_t v_ = 0;                                                                     \
    if (n <= sizeof own && a_ <= sizeof own - n) __builtin_memcpy(&v_, own + a_, n);     \
    else *bad_ = 1;                                                                      \
    to = v_;                                                                             \
  }
#define QUICK_OWN_STORE(own, n, offset, value)                                           \
  {                                                                                      \
    const uint64_t a_ = offset, v_ = value;                                              \
    if (n <= sizeof own && a_ <= sizeof own - n) __builtin_memcpy(own + a_, &v_, n);     \
    else *bad_ = 1;                                                                      \
  }

/* ---- the threads of a call, row by row of the block */

/* Where the thread of rank `at` stands, whose row goes on to `end` at most. Returns how many threads of it. */
INLINE uint32_t stand(uint32_t* place, uint32_t at, uint32_t end) {
  const uint32_t width = place[6], row = at / width, left = width - at % width;
  place[0] = at % width, place[1] = row % place[7], place[2] = row / place[7];
  return left < end - at ? left : end - at;
}
#define EACH_ROW                                                                         \
  for (uint32_t at_ = all_->first, end_ = at_ + all_->count, n_; at_ < end_; at_ += n_)
#define FIRST                                                                            \
  stand(place, 0, 1);                                                                    \
  place[12] = place[13] = 0;
#define EACH_OTHER_ROW for (uint32_t at_ = 1, end_ = all_->count, n_; at_ < end_; at_ += n_)
#define EACH_COLUMN                                                                      \
  n_ = stand(place, at_, end_);                                                          \
  for (uint32_t k_ = 0, x_ = place[0]; k_ < n_; ++k_)
#define STAND                                                                            \
  place[0] = x_ + k_, place[12] = (at_ + k_) % 32, place[13] = (at_ + k_) / 32
/* Accesses by one pointer are in the same memory, or there is no quick form. One that no thread has come to is
 * taken to be there, too, but will not find it. */
#define COMPARE_MEMORY(site, other)                                                      \
  if (!sites[other].room)                                                                \
    sites[other].begin = sites[site].begin, sites[other].memory = sites[site].memory;    \
  unlike_ |= sites[site].room &&                                                         \
             (sites[site].begin != sites[other].begin || sites[site].memory != sites[other].memory)
/* A compiler that knew where this comes from would take one for another, and no longer see that they are one. */
#define HIDE(value) __asm__("" : "+r"(value))
#define SAME_MEMORY(site, other)                                                         \
  sites[site].begin = sites[other].begin, sites[site].memory = sites[other].memory
