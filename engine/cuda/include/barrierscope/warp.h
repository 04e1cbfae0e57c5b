// What the lanes of a warp hand each other: votes, shuffles, matches, reductions. Those without _sync are
// CUDA's before Volta: all lanes that stand at the same place.
#pragma once

#include "old.h"
#include "qualifiers.h"

__BSCOPE_BUILTIN unsigned __bscope_active_mask(void);
__BSCOPE_BUILTIN unsigned __bscope_ballot(unsigned mask, int predicate);

__BSCOPE_DEVICE unsigned __activemask(void) { return __bscope_active_mask(); }
__BSCOPE_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __bscope_ballot(mask, p); }
__BSCOPE_DEVICE int __any_sync(unsigned mask, int p) { return __bscope_ballot(mask, p) != 0; }
__BSCOPE_DEVICE int __all_sync(unsigned mask, int p) { return __bscope_ballot(mask, !p) == 0; }
__BSCOPE_DEVICE int __uni_sync(unsigned mask, int p) {
  unsigned yes = __bscope_ballot(mask, p);
  return yes == 0 || yes == __bscope_ballot(mask, 1);
}
__BSCOPE_OLD("9.0", "__ballot_sync(0xffffffff, predicate)")
__BSCOPE_DEVICE unsigned __ballot(int p) { return __bscope_ballot(__bscope_active_mask(), p); }
__BSCOPE_OLD("9.0", "__any_sync(0xffffffff, predicate)")
__BSCOPE_DEVICE int __any(int p) { return __any_sync(__bscope_active_mask(), p); }
__BSCOPE_OLD("9.0", "__all_sync(0xffffffff, predicate)")
__BSCOPE_DEVICE int __all(int p) { return __all_sync(__bscope_active_mask(), p); }

#define __BSCOPE_SHUFFLE(T, t, from, builtin, B, by)                                     \
  __BSCOPE_DEVICE T __shfl##from##_sync(unsigned mask, T v, B b, int width = 32) {       \
    return (T)__bscope_shuffle##builtin##_##t(mask, v, (int)b, width);                   \
  }                                                                                      \
  __BSCOPE_OLD("9.0", "__shfl" #from "_sync(0xffffffff, value, " #by ")")                \
  __BSCOPE_DEVICE T __shfl##from(T v, B b, int width = 32) {                             \
    return (T)__bscope_shuffle##builtin##_##t(__bscope_active_mask(), v, (int)b, width); \
  }
#define __BSCOPE_SHUFFLES(T, t)                         \
  __BSCOPE_SHUFFLE(T, t, , , int, lane)                 \
  __BSCOPE_SHUFFLE(T, t, _up, _up, unsigned, delta)     \
  __BSCOPE_SHUFFLE(T, t, _down, _down, unsigned, delta) \
  __BSCOPE_SHUFFLE(T, t, _xor, _xor, int, mask)
#define __BSCOPE_MATCHES(T, t)                                                                              \
  __BSCOPE_DEVICE unsigned __match_any_sync(unsigned mask, T v) { return __bscope_match_any_##t(mask, v); } \
  __BSCOPE_DEVICE unsigned __match_all_sync(unsigned mask, T v, int* all) {                                 \
    *all = __bscope_match_any_##t(mask, v) == __bscope_ballot(mask, 1);                                     \
    return *all ? mask : 0;                                                                                 \
  }
#define __BSCOPE_EXCHANGE(T, t)                                                        \
  __BSCOPE_BUILTIN T __bscope_shuffle_##t(unsigned mask, T, int lane, int width);      \
  __BSCOPE_BUILTIN T __bscope_shuffle_up_##t(unsigned mask, T, int lane, int width);   \
  __BSCOPE_BUILTIN T __bscope_shuffle_down_##t(unsigned mask, T, int lane, int width); \
  __BSCOPE_BUILTIN T __bscope_shuffle_xor_##t(unsigned mask, T, int lane, int width);  \
  __BSCOPE_BUILTIN unsigned __bscope_match_any_##t(unsigned mask, T);                  \
  __BSCOPE_SHUFFLES(T, t)                                                              \
  __BSCOPE_MATCHES(T, t)
__BSCOPE_NUMBERS(__BSCOPE_EXCHANGE)
#define __BSCOPE_LONG_EXCHANGE(T, t, same) __BSCOPE_SHUFFLES(T, t) __BSCOPE_MATCHES(T, t)
__BSCOPE_LONGS(__BSCOPE_LONG_EXCHANGE)
#undef __BSCOPE_SHUFFLE
#undef __BSCOPE_SHUFFLES
#undef __BSCOPE_MATCHES
#undef __BSCOPE_EXCHANGE
#undef __BSCOPE_LONG_EXCHANGE

#define __BSCOPE_REDUCE(T, t, what)                                  \
  __BSCOPE_BUILTIN T __bscope_reduce_##what##_##t(unsigned mask, T); \
  __BSCOPE_DEVICE T __reduce_##what##_sync(unsigned mask, T v) {     \
    return __bscope_reduce_##what##_##t(mask, v);                    \
  }
#define __BSCOPE_REDUCES(what) __BSCOPE_REDUCE(int, i32, what) __BSCOPE_REDUCE(unsigned, u32, what)
__BSCOPE_REDUCES(add)
__BSCOPE_REDUCES(min)
__BSCOPE_REDUCES(max)
__BSCOPE_REDUCES(and)
__BSCOPE_REDUCES(or)
__BSCOPE_REDUCES(xor)
#undef __BSCOPE_REDUCE
#undef __BSCOPE_REDUCES
