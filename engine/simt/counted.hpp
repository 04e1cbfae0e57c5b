// Sums that know how many parts they have: what Counted<T> is made of, and what it gives back.
#pragma once

#include "engine/simt/atomic.hpp"

namespace bscope {
inline namespace HALF {

/// counted(sum): one part.
template <class V>
  requires std::is_arithmetic_v<V>
DEVICE Counted<V> counted(V sum) {
  return {1, sum};
}
template <class V>
DEVICE V sum_of(Counted<V> c) {
  return c.value;
}
template <class V>
DEVICE int count_of(Counted<V> c) {
  return int(c.count);
}

/// Stores a sum that says by itself that it is there: one word, so nothing else need be ordered.
template <class V>
DEVICE void publish(Counted<V>& x, same<Counted<V>> v) {
#ifdef __CUDACC__
  store_relaxed(x, v);
#else
  x = v;
#endif
}
/// The word, once it counts something.
template <class V>
DEVICE Counted<V> await(Counted<V>& x) {
#ifdef __CUDACC__
  Counted<V> v;
  while (!(v = load_relaxed(x)).count) {}
  return v;
#else
  return x;
#endif
}

template <class V>
DEVICE Tracked<Counted<V>> counted(Tracked<V> sum, uint32_t line = __builtin_LINE()) {
  const Counted<V> c{1, sum.value};
  if (!sum.log) return {c};
  const uint32_t from = sum.named(sum.log, line);
  return {c, record(*sum.log, {uint16_t(line), Op::convert, uint8_t(kind_of<Counted<V>>), 0, from, 0}, c),
          sum.log};
}
template <class V>
DEVICE Tracked<V> sum_of(Tracked<Counted<V>> c, uint32_t line = __builtin_LINE()) {
  if (!c.log) return {c.value.value};
  const uint32_t from = c.named(c.log, line);
  return {c.value.value,
          record(*c.log, {uint16_t(line), Op::convert, uint8_t(kind_of<V>), 0, from, 0}, c.value.value),
          c.log};
}
/// How many parts: it says who has come, nothing of the data.
template <class V>
DEVICE int count_of(const Tracked<Counted<V>>& c) {
  return int(c.value.count);
}
template <class V>
DEVICE void publish(Cell<Tracked<Counted<V>>>&& c, same<Tracked<Counted<V>>> v) {
  c.touch(Op::publish, v.source, [&](Counted<V>& x) {
    publish(x, v.value);
    return v.value;
  });
}
template <class V>
DEVICE Tracked<Counted<V>> await(Cell<Tracked<Counted<V>>>&& c) {
  return c.touch(Op::observe, 0, [&](Counted<V>& x) {
#ifdef __CUDACC__
    return await(x);
#else
    const Counted<V> nothing{0, V(0)};
    // A sum of nothing is all zeros, and whoever adds to it counts.
    c.log->wait({uint16_t(c.line), Op::observe, c.array, 0, c.index, 0}, &x, &nothing, sizeof nothing);
    return x;
#endif
  });
}

}  // namespace HALF
}  // namespace bscope
