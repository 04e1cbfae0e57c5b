// Elements whose + is another associative operation, so that one kernel sums, finds the least or the largest,
// or composes maps. Scans and reductions ask no more of an operation than to be associative.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#ifdef __CUDACC__
#define ANYWHERE __host__ __device__ __forceinline__
#else
#define ANYWHERE inline
#endif

namespace bscope {

/// + keeps the smaller one.
template <class V>
struct Min {
  V value;
  Min() = default;
  ANYWHERE explicit Min(V v) : value(v) {}
  friend ANYWHERE Min operator+(Min a, Min b) { return b.value < a.value ? b : a; }
  friend ANYWHERE Min& operator+=(Min& a, Min b) { return a = a + b; }
};

/// + keeps the larger one.
template <class V>
struct Max {
  V value;
  Max() = default;
  ANYWHERE explicit Max(V v) : value(v) {}
  friend ANYWHERE Max operator+(Max a, Max b) { return a.value < b.value ? b : a; }
  friend ANYWHERE Max& operator+=(Max& a, Max b) { return a = a + b; }
};

/// The map y -> slope y + offset on 16-bit integers, which wrap. f + g is f, then g: associative, but not
/// commutative. A scan of such maps solves the recurrence y[k] = slope[k] y[k-1] + offset[k] (Blelloch 1990,
/// 1.4).
struct alignas(4) Affine {  // one access, not two of 16 bits
  uint16_t offset, slope;
  Affine() = default;
  ANYWHERE Affine(uint16_t s, uint16_t o) : offset(o), slope(s) {}
  /// An input number v is the map y -> v y + 1.
  ANYWHERE explicit Affine(double v) : offset(1), slope(uint16_t(int(v))) {}
  friend ANYWHERE Affine operator+(Affine f, Affine g) {
    return {uint16_t(uint32_t(f.slope) * g.slope), uint16_t(uint32_t(g.slope) * f.offset + g.offset)};
  }
  friend ANYWHERE Affine& operator+=(Affine& a, Affine b) { return a = a + b; }
};

/// A sum and how many parts it is made of, in one 64-bit word: of integers one atomic adds both, and a word
/// that counts nothing says that nothing has come yet. The sum is the upper half, so that it may wrap and the
/// count never runs into it.
template <class V>
struct alignas(8) Counted {
  static_assert(sizeof(V) == 4);
  uint32_t count;
  V value;
  friend ANYWHERE Counted operator+(Counted a, Counted b)
    requires std::is_integral_v<V>
  {
    const uint64_t sum = a.bits() + b.bits();
    return {uint32_t(sum), V(uint32_t(sum >> 32))};
  }
  friend ANYWHERE Counted& operator+=(Counted& a, Counted b)
    requires std::is_integral_v<V>
  {
    return a = a + b;
  }
  friend ANYWHERE bool operator==(Counted a, Counted b) { return a.bits() == b.bits(); }
  ANYWHERE uint64_t bits() const {
    uint64_t word;
    memcpy(&word, this, sizeof word);
    return word;
  }
};

/// The ends of a number type. Variables, because device code may not call a host function.
template <class V>
inline constexpr V greatest =
    std::numeric_limits<V>::has_infinity ? std::numeric_limits<V>::infinity() : std::numeric_limits<V>::max();
template <class V>
inline constexpr V least = std::numeric_limits<V>::has_infinity ? -std::numeric_limits<V>::infinity()
                                                                : std::numeric_limits<V>::lowest();

/// What + leaves as it is. identity<int>() is 0.
template <class T>
struct Identity {
  static ANYWHERE T value() { return T(0); }
};
template <class V>
struct Identity<Min<V>> {
  static ANYWHERE Min<V> value() { return Min<V>(greatest<V>); }
};
template <class V>
struct Identity<Max<V>> {
  static ANYWHERE Max<V> value() { return Max<V>(least<V>); }
};
template <>
struct Identity<Affine> {
  static ANYWHERE Affine value() { return {1, 0}; }
};
template <class V>
struct Identity<Counted<V>> {
  static ANYWHERE Counted<V> value() { return {0, V(0)}; }
};
template <class T>
inline constexpr bool is_element = std::is_arithmetic_v<T>;
template <class V>
inline constexpr bool is_element<Min<V>> = true;
template <class V>
inline constexpr bool is_element<Max<V>> = true;
template <>
inline constexpr bool is_element<Affine> = true;
template <class V>
inline constexpr bool is_element<Counted<V>> = is_element<V>;
/// A value that a cell can hold: a number or one of the above.
template <class T>
concept Element = is_element<T>;

template <Element T>
ANYWHERE T identity() {
  return Identity<T>::value();
}

}  // namespace bscope
