// Words that say by themselves that they are there, so that no fence and no flag is needed: sums that know
// how many parts they have (Counted<T>), and floats.
#pragma once

#include "engine/simt/atomic.hpp"

namespace bscope {
inline namespace HALF {

/// counted(sum): one part.
template <Element V>
  requires(sizeof(V) == 4)
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

/// Elements that are floats: float, double, Min and Max of them.
template <class T>
concept Floating = Element<T> && (kind_of<T> == ElementType::f32 || kind_of<T> == ElementType::f64);
/// What a word of all zeros says nothing of: a count of parts, or a float, whose only word of zeros is +0.
template <class T>
concept Telling = is_counted<T> || Floating<T>;
/// The word that travels: +0 goes as -0, which adds and compares like it.
template <Telling T>
DEVICE T telling(T v) {
  if constexpr (Floating<T>)
    if (!bits_of(v)) return from_bits<T>(uint64_t(1) << (8 * sizeof(T) - 1));
  return v;
}

/// Stores a word that says by itself that it is there, so nothing else need be ordered.
template <Telling T>
DEVICE void publish(T& x, same<T> v) {
#ifdef __CUDACC__
  store_relaxed(x, telling(v));
#else
  x = telling(v);
#endif
}
/// Resets it for the next call; like publish(), called by the reader.
template <Telling T>
DEVICE void withdraw(T& x) {
#ifdef __CUDACC__
  store_relaxed(x, from_bits<T>(0));
#else
  x = from_bits<T>(0);
#endif
}
/// The word, once it is there.
template <Telling T>
DEVICE T await(T& x) {
#ifdef __CUDACC__
  T v;
  while (!bits_of(v = load_relaxed(x))) {}
  return v;
#else
  return x;
#endif
}

/// The word in which one part of a sum travels: a float by itself, an integer with a count.
template <class V>
using PartOf = std::conditional_t<Telling<V>, V, Counted<V>>;
/// Stores one part of a sum, of which nothing else need be ordered.
template <Element V>
DEVICE void publish_part(PartOf<V>& x, V part) {
  if constexpr (Telling<V>)
    publish(x, part);
  else
    publish(x, counted(part));
}
/// The part, once it is there: await_part<T>(parts[k]).
template <Element V>
DEVICE V await_part(PartOf<V>& x) {
  if constexpr (Telling<V>)
    return await(x);
  else
    return sum_of(await(x));
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
template <Telling T>
DEVICE void publish(Cell<Tracked<T>>&& c, same<Tracked<T>> v) {
  c.touch(Op::publish, v.source, [&](T& x) {
    publish(x, v.value);
    return telling(v.value);
  });
}
template <Telling T>
DEVICE void withdraw(Cell<Tracked<T>>&& c) {
  c.touch(Op::publish, 0, [](T& x) {
    withdraw(x);
    return from_bits<T>(0);
  });
}
template <Telling T>
DEVICE Tracked<T> await(Cell<Tracked<T>>&& c) {
  return c.touch(Op::observe, 0, [&](T& x) {
#ifdef __CUDACC__
    return await(x);
#else
    const T nothing = from_bits<T>(0);
    c.log->wait({uint16_t(c.line), Op::observe, c.array, 0, c.index, 0}, &x, &nothing, sizeof nothing);
    return x;
#endif
  });
}
template <class V>
DEVICE void publish_part(Cell<Tracked<PartOf<V>>>&& c, Tracked<V> part, uint32_t line = __builtin_LINE()) {
  if constexpr (Telling<V>)
    publish(std::move(c), part);
  else
    publish(std::move(c), counted(part, line));
}
template <class T>
  requires(!Element<T>)
DEVICE T await_part(Cell<Tracked<PartOf<plain<T>>>>&& c, uint32_t line = __builtin_LINE()) {
  if constexpr (Telling<plain<T>>)
    return await(std::move(c));
  else
    return sum_of(await(std::move(c)), line);
}

}  // namespace HALF
}  // namespace bscope
