// Arithmetic as the GPU does it: integers wrap, a quotient by zero is all ones, nothing is undefined.
#pragma once

#include <concepts>

#include "engine/simt/half.hpp"

namespace bscope {
inline namespace HALF {

#ifndef __CUDACC__
// CUDA's own words, of plain indices and lengths; tracked values have theirs.
template <std::integral I>
I min(I a, I b) {
  return b < a ? b : a;
}
template <std::integral I>
I max(I a, I b) {
  return a < b ? b : a;
}
inline float min(float a, float b) { return b < a ? b : a; }
inline float max(float a, float b) { return a < b ? b : a; }
inline double min(double a, double b) { return b < a ? b : a; }
inline double max(double a, double b) { return a < b ? b : a; }
#endif

namespace arithmetic {

// nvcc fuses a product and a sum into one rounding; a traced run rounds each, as it writes each down.
#ifdef __CUDA_ARCH__
DEVICE float rounded_sum(float a, float b) { return __fadd_rn(a, b); }
DEVICE double rounded_sum(double a, double b) { return __dadd_rn(a, b); }
DEVICE float rounded_product(float a, float b) { return __fmul_rn(a, b); }
DEVICE double rounded_product(double a, double b) { return __dmul_rn(a, b); }
#else
template <class V>
DEVICE V rounded_sum(V a, V b) {
  return a + b;
}
template <class V>
DEVICE V rounded_product(V a, V b) {
  return a * b;
}
#endif

/// f of two integers, unsigned: signed overflow is undefined in C++.
template <class V, class F>
DEVICE V wrapping(V a, V b, F f) {
  using U = std::make_unsigned_t<decltype(a + b)>;
  return V(f(U(a), U(b)));
}
template <class V>
DEVICE V add(V a, V b) {
  if constexpr (std::is_floating_point_v<V>)
    return rounded_sum(a, b);
  else if constexpr (std::is_integral_v<V>)
    return wrapping(a, b, [](auto x, auto y) { return x + y; });
  else
    return a + b;
}
template <class V>
DEVICE V sub(V a, V b) {
  if constexpr (std::is_floating_point_v<V>)
    return rounded_sum(a, -b);
  else
    return wrapping(a, b, [](auto x, auto y) { return x - y; });
}
template <class V>
DEVICE V mul(V a, V b) {
  if constexpr (std::is_floating_point_v<V>)
    return rounded_product(a, b);
  else
    return wrapping(a, b, [](auto x, auto y) { return x * y; });
}
template <class V>
DEVICE V div(V a, V b) {
  if constexpr (std::is_integral_v<V>) {
    if (b == 0) return V(-1);
    if constexpr (std::is_signed_v<V>)
      if (b == V(-1)) return sub(V(0), a);  // the least value has no negative
  }
  return V(a / b);
}
template <class V>
DEVICE V mod(V a, V b) {
  return sub(a, mul(div(a, b), b));
}
template <class V>
DEVICE V shl(V a, V count) {
  using U = std::make_unsigned_t<V>;
  return U(count) < 8 * sizeof(V) ? V(uint64_t(U(a)) << U(count)) : V(0);
}
template <class V>
DEVICE V shr(V a, V count) {
  using U = std::make_unsigned_t<V>;
  return U(count) < 8 * sizeof(V) ? V(a >> U(count)) : V(a < 0 ? -1 : 0);
}

}  // namespace arithmetic
}  // namespace HALF
}  // namespace bscope
