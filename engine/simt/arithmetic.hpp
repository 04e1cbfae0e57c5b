// Arithmetic as the GPU does it: integers wrap, a quotient by zero is all ones, nothing is undefined.
#pragma once

#include "engine/simt/half.hpp"

namespace bscope {
inline namespace HALF {
namespace arithmetic {

/// f on unsigned operands for integers (signed overflow is undefined in C++), on the values themselves for
/// others.
template <class V, class F>
DEVICE V wrapping(V a, V b, F f) {
  if constexpr (std::is_integral_v<V>) {
    using U = std::make_unsigned_t<decltype(a + b)>;
    return V(f(U(a), U(b)));
  } else {
    return f(a, b);
  }
}
template <class V>
DEVICE V add(V a, V b) {
  return wrapping(a, b, [](auto x, auto y) { return x + y; });
}
template <class V>
DEVICE V sub(V a, V b) {
  return wrapping(a, b, [](auto x, auto y) { return x - y; });
}
template <class V>
DEVICE V mul(V a, V b) {
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
