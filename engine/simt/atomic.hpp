// Atomics and flags, on a plain cell (untraced) or on a watched one.
#pragma once

#include "engine/simt/cell.hpp"

namespace bscope {
inline namespace HALF {

template <class T>
using same = std::type_identity_t<T>;
template <class T>
concept Plain = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_counted = false;
template <class V>
inline constexpr bool is_counted<Counted<V>> = true;
// What the hardware adds to, compares with and exchanges at once: the same on both machines.
template <class T>
concept Added = (Plain<T> && sizeof(T) >= 4) || is_counted<T>;
template <class T>
concept Compared = std::integral<T> && sizeof(T) == 4;
template <class T>
concept Swapped = std::integral<T> && (sizeof(T) == 4 || sizeof(T) == 8);
/// What counts round: CUDA's atomicInc and atomicDec know unsigned alone.
template <class T>
concept Counting = std::same_as<T, uint32_t>;
/// What a warp adds up in one instruction.
template <class T>
concept Reduced = std::integral<T> && sizeof(T) == 4;
template <class T>
concept Exchanged = Element<T> && (sizeof(T) == 8 || (Plain<T> && sizeof(T) == 4));

#ifdef __CUDACC__
template <Added T>
  requires(sizeof(T) == 4 || std::is_floating_point_v<T>)
DEVICE T atomic_add(T& x, same<T> v) {
  return atomicAdd(&x, v);
}
template <Compared T>
DEVICE T atomic_max(T& x, same<T> v) {
  return atomicMax(&x, v);
}
template <Exchanged T>
DEVICE T atomic_exch(T& x, same<T> v) {
  if constexpr (sizeof(T) == 8)
    return from_bits<T>(
        atomicExch(reinterpret_cast<unsigned long long*>(&x), (unsigned long long)(bits_of(v))));
  else
    return atomicExch(&x, v);
}
/// 64-bit words: CUDA adds unsigned long long.
template <Added T>
  requires(sizeof(T) == 8 && !std::is_floating_point_v<T>)
DEVICE T atomic_add(T& x, same<T> v) {
  using Word = unsigned long long;
  return from_bits<T>(atomicAdd(reinterpret_cast<Word*>(&x), Word(bits_of(v))));
}
template <Compared T>
DEVICE T atomic_sub(T& x, same<T> v) {
  return atomicSub(&x, v);
}
template <Compared T>
DEVICE T atomic_min(T& x, same<T> v) {
  return atomicMin(&x, v);
}
/// As the words that CUDA's bitwise atomics and compare-and-swaps know.
template <Swapped T>
using AtomicWord = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
template <Swapped T>
DEVICE AtomicWord<T>* as_word(T& x) {
  return reinterpret_cast<AtomicWord<T>*>(&x);
}
template <Swapped T>
DEVICE T atomic_and(T& x, same<T> v) {
  return T(atomicAnd(as_word(x), AtomicWord<T>(v)));
}
template <Swapped T>
DEVICE T atomic_or(T& x, same<T> v) {
  return T(atomicOr(as_word(x), AtomicWord<T>(v)));
}
template <Swapped T>
DEVICE T atomic_xor(T& x, same<T> v) {
  return T(atomicXor(as_word(x), AtomicWord<T>(v)));
}
template <Counting T>
DEVICE T atomic_inc(T& x, same<T> most) {
  return atomicInc(&x, most);
}
template <Counting T>
DEVICE T atomic_dec(T& x, same<T> most) {
  return atomicDec(&x, most);
}
template <Swapped T>
DEVICE T atomic_cas(T& x, same<T> expected, same<T> v) {
  return T(atomicCAS(as_word(x), AtomicWord<T>(expected), AtomicWord<T>(v)));
}
template <Plain T>
DEVICE T load_acquire(T& x) {
  T v;
  __nv_atomic_load(&x, &v, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  return v;
}
template <Plain T>
DEVICE void store_release(T& x, same<T> v) {
  __nv_atomic_store(&x, &v, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}
template <Plain T>
DEVICE T wait_while(T& x, same<T> old) {
  T v;
  while ((v = load_acquire(x)) == old) {}
  return v;
}
// A word that says by itself whether it is there orders nothing else, so relaxed accesses do.
template <Element T>
DEVICE T load_relaxed(T& x) {
  using Bits = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  Bits b;
  __nv_atomic_load(reinterpret_cast<Bits*>(&x), &b, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  return from_bits<T>(b);
}
template <Element T>
DEVICE void store_relaxed(T& x, same<T> v) {
  using Bits = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
  Bits b = Bits(bits_of(v));
  __nv_atomic_store(reinterpret_cast<Bits*>(&x), &b, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
#else
// One OS thread runs all of a launch's fibers, so a plain access is atomic.
template <Added T>
T atomic_add(T& x, same<T> v) {
  const T old = x;
  x = arithmetic::add(old, v);
  return old;
}
template <Compared T>
T atomic_max(T& x, same<T> v) {
  const T old = x;
  x = old < v ? v : old;
  return old;
}
template <Exchanged T>
T atomic_exch(T& x, same<T> v) {
  const T old = x;
  x = v;
  return old;
}
template <Compared T>
T atomic_sub(T& x, same<T> v) {
  const T old = x;
  x = arithmetic::sub(old, v);
  return old;
}
template <Compared T>
T atomic_min(T& x, same<T> v) {
  const T old = x;
  x = v < old ? v : old;
  return old;
}
template <Swapped T>
T atomic_and(T& x, same<T> v) {
  const T old = x;
  x = T(old & v);
  return old;
}
template <Swapped T>
T atomic_or(T& x, same<T> v) {
  const T old = x;
  x = T(old | v);
  return old;
}
template <Swapped T>
T atomic_xor(T& x, same<T> v) {
  const T old = x;
  x = T(old ^ v);
  return old;
}
/// Counts up to `most`, then from 0 again.
template <Counting T>
T atomic_inc(T& x, same<T> most) {
  const T old = x;
  x = old >= most ? 0 : old + 1;
  return old;
}
/// Counts down to 0, then from `most` again.
template <Counting T>
T atomic_dec(T& x, same<T> most) {
  const T old = x;
  x = old == 0 || old > most ? most : old - 1;
  return old;
}
template <Swapped T>
T atomic_cas(T& x, same<T> expected, same<T> v) {
  const T old = x;
  if (old == expected) x = v;
  return old;
}
template <Plain T>
T load_acquire(T& x) {
  return x;
}
template <Plain T>
void store_release(T& x, same<T> v) {
  x = v;
}
// Only compiled, as part of a kernel's untraced form.
template <Plain T>
T wait_while(T& x, same<T> old);
#endif

/// Each returns the old value.
#define ATOMIC(name)                                                              \
  template <class V>                                                              \
  DEVICE Tracked<V> name(Cell<Tracked<V>>&& c, same<Given<Tracked<V>>> x) {       \
    const Tracked<V> v = x.get();                                                 \
    const uint32_t from = v.named(c.log, c.line);                                 \
    return c.touch(Op::name, from, [&](V& cell) { return name(cell, v.value); }); \
  }
ATOMIC(atomic_add)
ATOMIC(atomic_max)
ATOMIC(atomic_exch)
ATOMIC(atomic_sub)
ATOMIC(atomic_min)
ATOMIC(atomic_and)
ATOMIC(atomic_or)
ATOMIC(atomic_xor)
ATOMIC(atomic_inc)
ATOMIC(atomic_dec)
#undef ATOMIC

/// Puts `wanted` there if it finds `expected`; returns what it found.
template <class V>
DEVICE Tracked<V> atomic_cas(Cell<Tracked<V>>&& c, same<Given<Tracked<V>>> expected,
                             same<Given<Tracked<V>>> wanted) {
  const Tracked<V> was = expected.get(), v = wanted.get();
  const uint32_t from = v.named(c.log, c.line);
  const auto line = uint16_t(c.line);
  if (c.source) c.log->push({line, Op::address, c.array, c.index, c.source, 0});
  record(*c.log, {line, Op::expect, uint8_t(kind_of<V>), 0, was.source, 0}, was.value);
  Event e{line, Op::atomic_cas, c.array, 0, c.index, from};
  c.log->turn(e);
  const V found = c.log->rehearses() ? V{} : atomic_cas(*c.p, was.value, v.value);
  if (found != was.value) e.op = Op::atomic_cas_failed, e.b = 0;
  return {found, record(*c.log, e, found), c.log};
}

template <class V>
DEVICE Tracked<V> load_acquire(Cell<Tracked<V>>&& c) {
  return c.touch(Op::acquire, 0, [](V& x) { return load_acquire(x); });
}
template <class V>
DEVICE void store_release(Cell<Tracked<V>>&& c, same<Given<Tracked<V>>> x) {
  const Tracked<V> v = x.get();
  c.touch(Op::release, v.source, [&](V& cell) {
    store_release(cell, v.value);
    return v.value;
  });
}
/// Returns what the cell holds once it differs from `old`, with acquire order.
template <class V>
DEVICE Tracked<V> wait_while(Cell<Tracked<V>>&& c, same<V> old) {
  return c.touch(Op::wait, 0, [&](V& x) {
#ifdef __CUDACC__
    return wait_while(x, old);
#else
    c.log->wait({uint16_t(c.line), Op::wait, c.array, 0, c.index, 0}, &x, &old, sizeof old);
    return x;
#endif
  });
}

}  // namespace HALF
}  // namespace bscope
