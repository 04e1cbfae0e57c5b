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
                               : computed_f32(__builtin_fmaf(f32(a), f32(b), f32(c))))
OPERATION(reciprocal_root, of_number(1 / __builtin_sqrt(number(a, bits)), bits))
OPERATION(power_of_ten, of_number(pow(10, number(a, bits)), bits))

/* ---- memory */

/* What an access knows of its memory, as far as the machine's bscope_site tells. A kernel keeps a copy of all
 * in variables of its own: a compiler may hold them in registers, whatever is written to memory. */
struct found {
  uint64_t begin, room;
  uint8_t* memory;
  uint64_t count; /* elements of an access whose elements are counted from `first` on; 0 for others */
  uint8_t* first;
};
INLINE struct found known(const thread* t, int site) {
  const struct bscope_site* const s = &t->sites[site];
  return (struct found){s->begin, s->room, (uint8_t*)(uintptr_t)(s->begin + s->shift + t->bases[s->base]), 0, 0};
}
/* The same of an access that counts elements of n bytes from `origin` on, which is the same in all threads. */
INLINE struct found known_from(const thread* t, int site, uint64_t origin, uint64_t n) {
  struct found s = known(t, site);
  const uint64_t inside = origin - s.begin;
  if (inside < s.room && inside % n == 0) s.count = (s.room - 1 - inside) / n + 1, s.first = s.memory + inside;
  return s;
}
#if COPIES_SITES
#define SITE(site) (&sites[site])
#define KNOW(site) sites[site] = known(t, site)
#define KNOW_ELEMENTS(site, origin, n) sites[site] = known_from(t, site, origin, n)
#define HAS_ELEMENT(site, i) __builtin_expect((i) < sites[site].count, 1)
#else
#define SITE(site) ((const struct found[]){known(t, site)})
#define KNOW(site) (void)0
#define KNOW_ELEMENTS(site, origin, n) (void)0
#define HAS_ELEMENT(site, i) 0
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

/* Where element i from the site's origin on lies, of those that are in the memory. One comparison finds nearly
 * all accesses; those in front of the origin, and those that are to be reported, go the way of all others. */
INLINE uint8_t* element(const struct found* s, uint64_t i, uint64_t n) {
  uint8_t* const p = s->first + i * n;
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

/* ---- what a kernel is called for. EXACT: a thread runs, with the interpreter's help. SEGMENT: so does each of
 * neighbouring threads of a row, of which three were looked at before. PROBE looks at one: it only computes,
 * and writes down which way the thread goes and where it reads and writes. Other functions are always EXACT. */
enum { EXACT, PROBE, SEGMENT };
enum { LEAST_ROW = 32 }; /* threads that are worth three probes */
struct probe {
  uint32_t good;
  uint64_t way;          /* two bits for each comparison that turns out one way in a row's first threads and another
                            way in its last */
  int64_t notes[NOTES + 1]; /* what has to grow evenly along the row */
};
INLINE void note(struct probe* p, int number, uint64_t value) { p->notes[number] = (int64_t)value; }
INLINE void note_access(struct probe* p, int number, const struct found* s, uint64_t a, uint64_t n) {
  if (number) note(p, number, a);
  p->good &= a - s->begin < s->room && (a - s->begin) % n == 0;
}
/* Of a comparison, how far its operands are apart, and so how it turns out: `met` where that is less than 0 or,
 * of one for equality, 0. */
INLINE int64_t distance(struct probe* p, uint64_t a, uint64_t b, int bits, int with_sign) {
  if (bits < 64) return with_sign ? extended(a, bits) - extended(b, bits) : (int64_t)(a - b);
  p->good &= (a + (1ull << 61)) >> 62 == 0 && (b + (1ull << 61)) >> 62 == 0;
  return (int64_t)(a - b);
}
enum { MET = 2 };
INLINE int compare(struct probe* p, int guard, int number, int64_t apart, int for_equality) {
  const uint64_t how = for_equality ? apart < 0 ? 1 : apart == 0 ? MET : 3 : apart < 0 ? MET : 1;
  p->way |= how << 2 * guard;
  note(p, number, (uint64_t)apart);
  return how == MET;
}
#define GUARD(guard, number, apart, for_equality, met)                                   \
  (mode_ == EXACT     ? (int)((met) & 1)                                                 \
   : mode_ == SEGMENT ? (way_ >> 2 * (guard) & 3) == MET                                 \
                      : compare(probe_, guard, number, apart, for_equality))
#define NOTE(number, value)                                                              \
  if (mode_ == PROBE && (number)) note(probe_, number, value)

/* How many of the next threads, `most` at most, go the same way as the first does by these comparisons: their
 * operands come closer by the same in each. */
INLINE uint32_t same_way(const struct probe* first, const struct probe* last, uint32_t most,
                         const uint8_t* note_of_guard) {
  for (uint64_t other = first->way ^ last->way; other;) {
    const int guard = __builtin_ctzll(other) / 2;
    other &= ~(3ull << 2 * guard);
    if (!(first->way >> 2 * guard & 3) || !(last->way >> 2 * guard & 3)) continue; /* one does not come to it */
    const int64_t from = first->notes[note_of_guard[guard]], to = last->notes[note_of_guard[guard]],
                  each = (to - from) / (int64_t)(most - 1), how = first->way >> 2 * guard & 3;
    if (from < 0 ? each <= 0 : each >= 0) return 1;
    const uint64_t steps = from < 0     ? (uint64_t)((each - 1 - from) / each)
                           : how == MET ? 1
                           : how == 3   ? (uint64_t)((-each - 1 + from) / -each)
                                        : (uint64_t)(from / -each + 1);
    return steps < most ? (uint32_t)steps : most - 1;
  }
  return most - 1;
}
/* Whether all between the first and the last of so many threads go their way, for all that was noted grows by
 * the same from each to the next. */
INLINE int evenly(const struct probe* first, const struct probe* last, uint32_t threads) {
  int64_t other = 0;
  for (int k = 0; k <= NOTES; ++k) {
    const uint64_t from = (uint64_t)first->notes[k];
    const int64_t each = (int64_t)((uint64_t)first[1].notes[k] - from);
    other |= (int64_t)((uint64_t)last->notes[k] - from) - (int64_t)(int32_t)each * (int32_t)(threads - 1);
    other |= (each + (1 << 20)) >> 21; /* 1024 times more is less than any type goes to */
  }
  return !other;
}
/* Looks at threads by CALL(thread, probe) until it has found how many of `left` go the first one's way. 0: it
 * cannot be said. probes[3] is the row's last thread's, once it is good. */
#define FIND_SEGMENT(left, note_of_guard, CALL)                                          \
  uint32_t n = left;                                                                     \
  const struct probe* last = probes + 3;                                                 \
  CALL(0, probes);                                                                       \
  if (!probes->good || n == 1) return probes->good;                                      \
  if (!last->good) CALL(n - 1, probes + 3);                                              \
  while (last->way != probes->way) {                                                     \
    n = same_way(probes, last, n, note_of_guard);                                        \
    if (n == 1) return n;                                                                \
    last = probes + 2;                                                                   \
    CALL(n - 1, probes + 2);                                                             \
  }                                                                                      \
  CALL(1, probes + 1);                                                                   \
  return last->good && probes[1].good && probes[1].way == probes->way && evenly(probes, last, n) ? n : 0

/* The interpreter may have to look at local memory. */
#define SHOW (t->local = local, t->valid = valid, t->local_bytes = FRAME)
#define LEAVE(step, line) (SHOW, leave(t, step, line))
#define OUTSIDE (LOCAL_BASE + (1ull << 43))
/* What only the interpreter can do: a probe says so, and no segment comes to it. */
#define LEFT                                                                             \
  if (mode_ != EXACT) {                                                                  \
    if (mode_ == PROBE) probe_->good = 0;                                                \
  } else

/* In the memory that a probe has found. */
#define FIXED(site, a) (sites[site].memory + ((a) - sites[site].begin))

#define READ(to, site, step, n, is_volatile, number, line, address, has, i, know)        \
  {                                                                                      \
    const uint64_t a_ = address;                                                         \
    if (mode_ == PROBE) {                                                                \
      note_access(probe_, number, &sites[site], a_, n);                                  \
    } else if (mode_ == SEGMENT) {                                                       \
      to = read_bytes(FIXED(site, a_), n, is_volatile);                                  \
    } else if (has) {                                                                    \
      to = read_bytes(element(&sites[site], i, n), n, is_volatile);                      \
    } else {                                                                             \
      const uint8_t* const p_ = place_of(SITE(site), local, valid, a_, n, n);            \
      if (__builtin_expect(p_ != 0, 1)) {                                                \
        to = read_bytes(p_, n, is_volatile);                                             \
      } else {                                                                           \
        t->values[0] = a_;                                                               \
        leave(t, step, line);                                                            \
        know;                                                                            \
        to = t->values[bscope_results];                                                  \
      }                                                                                  \
    }                                                                                    \
  }
#define WRITE(site, step, n, is_volatile, number, line, address, value, has, i, know)    \
  {                                                                                      \
    const uint64_t a_ = address, v_ = value;                                             \
    if (mode_ == PROBE) {                                                                \
      note_access(probe_, number, &sites[site], a_, n);                                  \
    } else if (mode_ == SEGMENT) {                                                       \
      write_bytes(FIXED(site, a_), n, v_, is_volatile);                                  \
    } else if (has) {                                                                    \
      write_bytes(element(&sites[site], i, n), n, v_, is_volatile);                      \
    } else {                                                                             \
      uint8_t* const p_ = place_of(SITE(site), local, valid, a_, n, n);                  \
      if (__builtin_expect(p_ != 0, 1)) {                                                \
        write_bytes(p_, n, v_, is_volatile);                                             \
      } else {                                                                           \
        t->values[0] = a_, t->values[1] = v_;                                            \
        leave(t, step, line);                                                            \
        know;                                                                            \
      }                                                                                  \
    }                                                                                    \
  }
#define LOAD(to, site, step, n, is_volatile, number, line, address)                      \
  READ(to, site, step, n, is_volatile, number, line, address, 0, 0, KNOW(site))
#define STORE(site, step, n, is_volatile, number, line, address, value)                  \
  WRITE(site, step, n, is_volatile, number, line, address, value, 0, 0, KNOW(site))
/* Of element i from `origin` on, which is where the address is. */
#define LOAD_ELEMENT(to, site, step, n, is_volatile, number, line, address, origin, i)   \
  READ(to, site, step, n, is_volatile, number, line, address, HAS_ELEMENT(site, i), i,   \
       KNOW_ELEMENTS(site, origin, n))
#define STORE_ELEMENT(site, step, n, is_volatile, number, line, address, value, origin, i) \
  WRITE(site, step, n, is_volatile, number, line, address, value, HAS_ELEMENT(site, i), i, \
        KNOW_ELEMENTS(site, origin, n))
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
#define INSIDE(own, n, a) (n <= sizeof own && a <= sizeof own - n)
#define OWN_LOAD(to, own, step, n, number, line, offset)                                 \
  {                                                                                      \
    const uint64_t a_ = offset;                                                          \
    NOTE(number, a_);                                                                    \
    if (mode_ == SEGMENT || __builtin_expect(INSIDE(own, n, a_), 1)) {                   \
      uint64_t v_ = 0;                                                                   \
      __builtin_memcpy(&v_, own + a_, n);                                                \
      to = v_;                                                                           \
    } else LEFT {                                                                        \
      t->values[0] = OUTSIDE;                                                            \
      leave(t, step, line);                                                              \
      __builtin_unreachable();                                                           \
    }                                                                                    \
  }
#define OWN_STORE(own, step, n, number, line, offset, value)                             \
  {                                                                                      \
    const uint64_t a_ = offset, v_ = value;                                              \
    NOTE(number, a_);                                                                    \
    if (mode_ == SEGMENT || __builtin_expect(INSIDE(own, n, a_), 1)) {                   \
      __builtin_memcpy(own + a_, &v_, n);                                                \
    } else LEFT {                                                                        \
      t->values[0] = OUTSIDE;                                                            \
      leave(t, step, line);                                                              \
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

/* ---- the threads of a call, row by row of the block */

/* Where the thread of rank `at` stands, whose row goes on to `end` at most. Returns how many threads of it. */
INLINE uint32_t stand(uint32_t* place, uint32_t at, uint32_t end) {
  const uint32_t width = place[6], row = at / width, left = width - at % width;
  place[0] = at % width, place[1] = row % place[7], place[2] = row / place[7];
  return left < end - at ? left : end - at;
}
#define EACH_ROW                                                                         \
  for (uint32_t at_ = all_->first, end_ = at_ + all_->count, n_; at_ < end_; at_ += n_)
#define STAND(k) place[0] = x_ + (k), place[12] = (at_ + (k)) % 32, place[13] = (at_ + (k)) / 32
/* Whether the block goes on behind its barrier without the machine: all its threads wait at the same one. */
INLINE int goes_on(struct bscope_threads* all) {
  uint64_t* const read = (uint64_t*)all->same;
  if (++all->intervals % bscope_turns == 0 || !all->together || all->some_states != all->all_states ||
      all->some_states == 0 || all->some_states == bscope_ended)
    return 0;
  all->same = all->next_same, all->next_same = read;
  return 1;
}
/* Accesses by one pointer are in the same memory, or threads run one by one. One that no thread has come to is
 * taken to be there, too, but will not find it. `sites`: what segments use. */
#define COMPARE_MEMORY(site, other)                                                      \
  if (!sites[other].room)                                                                \
    sites[other].begin = sites[site].begin, sites[other].memory = sites[site].memory;    \
  unlike_ |= sites[site].room &&                                                         \
             (sites[site].begin != sites[other].begin || sites[site].memory != sites[other].memory)
/* A compiler that knew where this comes from would take one for another, and no longer see that they are one. */
#define HIDE(value) __asm__("" : "+r"(value))
#define SAME_MEMORY(site, other)                                                         \
  sites[site].begin = sites[other].begin, sites[site].memory = sites[other].memory
