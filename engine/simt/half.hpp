// Kernel files are compiled twice: by the C++ compiler for the CPU executor and by nvcc for the GPU. Each
// half lives in its own inline namespace, so that both can be linked into one program. nvcc compiles those
// that are timed at full size once more, with 64-bit positions (BARRIERSCOPE_WIDE): a program for a long
// input then finds its untraced form there, and a short input pays nothing for it.
#pragma once

#include <concepts>
#include <cstring>
#include <type_traits>

#include "engine/simt/element.hpp"
#include "engine/trace/trace.hpp"

#ifdef __CUDACC__
#ifdef BARRIERSCOPE_WIDE
#define HALF on_gpu_wide
#else
#define HALF on_gpu
#endif
#define DEVICE __device__ __forceinline__
#else
#define HALF on_cpu
#define DEVICE inline
#define __device__  // NOLINT(bugprone-reserved-identifier): CUDA's own word, which the C++ compiler need not
                    // know
#endif

namespace bscope {

/// a / b, rounded up.
template <class A, class B>
constexpr ANYWHERE auto ceil_div(A a, B b) {
  return (a + b - 1) / b;
}

/// Elements that 32-bit positions are used for: what a kernel adds to a position (a tile, a grid of tiles)
/// fits into an int, too.
inline constexpr long long most_narrow = 3LL << 29;

inline namespace HALF {

/// A position in the whole input, and a number of elements or blocks of it.
#ifdef BARRIERSCOPE_WIDE
using Index = long long;
#else
using Index = int;
#endif

#ifdef __CUDACC__
using ::max;
using ::min;
#else
constexpr int min(int a, int b) { return b < a ? b : a; }
constexpr int max(int a, int b) { return a < b ? b : a; }
#endif
// An Index and an int.
template <std::integral A, std::integral B>
  requires(!std::same_as<A, B>)
constexpr ANYWHERE auto min(A a, B b) {
  using C = std::common_type_t<A, B>;
  return C(b) < C(a) ? C(b) : C(a);
}

inline constexpr uint32_t full_warp = 0xffffffffu;

template <class V>
consteval ElementType kind_at_compile_time() {
  if constexpr (std::is_floating_point_v<V>) {
    return sizeof(V) == 8 ? ElementType::f64 : ElementType::f32;
  } else if constexpr (std::is_integral_v<V>) {
    constexpr int base = sizeof(V) == 1 ? 0 : sizeof(V) == 2 ? 2 : sizeof(V) == 4 ? 4 : 6;
    return ElementType(base + std::is_unsigned_v<V>);
  } else {
    return ElementType::other;
  }
}
/// The ElementType of a C++ type. A variable, because device code may not call a host function.
template <class V>
inline constexpr ElementType kind_of = kind_at_compile_time<V>();
template <class V>
inline constexpr ElementType kind_of<Min<V>> = kind_of<V>;
template <class V>
inline constexpr ElementType kind_of<Max<V>> = kind_of<V>;
template <>
inline constexpr ElementType kind_of<Affine> = ElementType::affine;
template <class V>
  requires(kind_of<V> == ElementType::i32)
inline constexpr ElementType kind_of<Counted<V>> = ElementType::counted;

/// The operation that + is.
template <class V>
inline constexpr Op plus_of = Op::add;
template <class V>
inline constexpr Op plus_of<Min<V>> = Op::min;
template <class V>
inline constexpr Op plus_of<Max<V>> = Op::max;
template <>
inline constexpr Op plus_of<Affine> = Op::compose;

template <class V>
DEVICE uint64_t bits_of(const V& v) {
  uint64_t b = 0;
  memcpy(&b, &v, sizeof v);
  return b;
}
template <class V>
DEVICE V from_bits(uint64_t b) {
  V v;
  memcpy(&v, &b, sizeof v);
  return v;
}

}  // namespace HALF
}  // namespace bscope
