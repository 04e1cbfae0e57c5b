// A value that knows the event that made it. Kernels never write this name: their element type T is int on
// the untraced machine and Tracked<int> on the traced ones.
#pragma once

#include <concepts>

#include "engine/simt/arithmetic.hpp"
#include "engine/simt/log.hpp"

namespace bscope {
inline namespace HALF {

template <class T>
struct Cell;
template <class T, bool converts = false>
struct Operand;

/// Types that C++ computes in. Of narrower integers it makes ints first: a kernel converts them itself, and
/// says what it means.
template <class V>
concept Computed = !std::integral<V> || sizeof(V) >= sizeof(int);

template <class V>
struct Tracked {
  using value_type = V;
  V value{};
  uint32_t source = 0;  ///< number of the event in `log`; 0: a constant
  Log* log = nullptr;

  Tracked() = default;
  Tracked(const Tracked&) = default;
  /// Only of variables: a temporary, such as what is read from an Array<const T>, keeps nothing.
  Tracked& operator=(const Tracked&) & = default;
  DEVICE Tracked(V v) : value(v) {}
  DEVICE Tracked(V v, uint32_t s, Log* l) : value(v), source(s), log(l) {}
  template <class U>
    requires(!std::same_as<U, V>)
  DEVICE explicit Tracked(Tracked<U> u, uint32_t line = __builtin_LINE()) : value(V(u.value)) {
    if (!u.log || !u.source) return;
    log = u.log;
    source = record(*log, {uint16_t(line), Op::convert, uint8_t(kind_of<V>), 0, u.source, 0}, value);
  }

  /// int(v): the value leaves the trace's sight, and the log says so. Implicit decay does not compile.
  DEVICE explicit operator V() const
    requires(!std::same_as<V, bool>)
  {
    note(Op::escape);
    return value;
  }
  /// if, while, ?:, && and ||: the data steer the thread.
  DEVICE explicit operator bool() const {
    note(Op::branch);
    return bool(value);
  }

  DEVICE void note(Op op) const {
    if (log && source) record(*log, {0, op, uint8_t(kind_of<V>), 0, source, 0}, value);
  }
  /// The number of the event that made the value; a constant is written down first.
  DEVICE uint32_t named(Log* l, uint32_t line) const {
    if (source) return source;
    return record(*l, {uint16_t(line), Op::constant, uint8_t(kind_of<V>), 0, 0, 0}, value);
  }

  using X = Operand<Tracked>;
  template <class R, class F>
  DEVICE static Tracked<R> apply(Op op, const X& x, const X& y, F f) {
    const Tracked a = x.get();  // left first, on every compiler
    const Tracked b = y.get();
    const R r = f(a.value, b.value);
    Log* const l = a.log ? a.log : b.log;
    if (!l) return {r};
    const uint32_t left = a.named(l, x.line), right = b.named(l, x.line);
    return {r, record(*l, {uint16_t(x.line), op, uint8_t(kind_of<R>), 0, left, right}, r), l};
  }

  static constexpr bool number = std::is_arithmetic_v<V>, integer = std::integral<V>;
#define OPERATOR(R, sign, op, result, on)                                          \
  friend DEVICE Tracked<R> operator sign(const X& x, const X& y)                   \
    requires(Computed<V> && (on))                                                  \
  {                                                                                \
    return apply<R>(op, x, y, [](const V& a, const V& b) -> R { return result; }); \
  }
  OPERATOR(V, +, plus_of<V>, arithmetic::add(a, b), true)
  OPERATOR(V, -, Op::sub, arithmetic::sub(a, b), number)
  OPERATOR(V, *, Op::mul, arithmetic::mul(a, b), number)
  OPERATOR(V, /, Op::div, arithmetic::div(a, b), number)
  OPERATOR(V, %, Op::mod, arithmetic::mod(a, b), integer)
  OPERATOR(V, &, Op::bit_and, V(a& b), integer)
  OPERATOR(V, |, Op::bit_or, V(a | b), integer)
  OPERATOR(V, ^, Op::bit_xor, V(a ^ b), integer)
  OPERATOR(V, <<, Op::shl, arithmetic::shl(a, b), integer)
  OPERATOR(V, >>, Op::shr, arithmetic::shr(a, b), integer)
  OPERATOR(bool, <, Op::less, a < b, number)
  OPERATOR(bool, >, Op::more, a > b, number)
  OPERATOR(bool, <=, Op::less_equal, a <= b, number)
  OPERATOR(bool, >=, Op::more_equal, a >= b, number)
  OPERATOR(bool, ==, Op::equal, a == b, number)
  OPERATOR(bool, !=, Op::differ, a != b, number)
#undef OPERATOR
  friend DEVICE Tracked operator-(const X& x)
    requires(Computed<V> && number)
  {
    return apply<V>(Op::sub, X(V{}, x.line), x,
                    [](const V& a, const V& b) -> V { return arithmetic::sub(a, b); });
  }
  friend DEVICE Tracked min(const X& x, const X& y)
    requires(Computed<V> && number)
  {
    return apply<V>(Op::min, x, y, [](const V& a, const V& b) -> V { return b < a ? b : a; });
  }
  friend DEVICE Tracked max(const X& x, const X& y)
    requires(Computed<V> && number)
  {
    return apply<V>(Op::max, x, y, [](const V& a, const V& b) -> V { return a < b ? b : a; });
  }

#define COMPOUND(sign) \
  DEVICE Tracked& operator sign##=(X y)& { return *this = X(*this, y.line) sign y; }
  COMPOUND(+)
  COMPOUND(-)
  COMPOUND(*)
  COMPOUND(/)
  COMPOUND(%)
  COMPOUND(&)
  COMPOUND(|)
  COMPOUND(^)
  COMPOUND(<<)
  COMPOUND(>>)
#undef COMPOUND
  DEVICE Tracked& operator++() & { return *this += X(V(1), 0); }
  DEVICE Tracked operator++(int) & {
    const Tracked old = *this;
    ++*this;
    return old;
  }
};

template <class T>
struct plain_of {
  using type = T;
};
template <class V>
struct plain_of<Tracked<V>> {
  using type = V;
};
/// int for int and for Tracked<int>.
template <class T>
using plain = typename plain_of<T>::type;

/// #pragma unroll if_untraced<T>: unrolls a loop where T is a number; where it is watched, nvcc would only
/// take longer.
template <class T>
inline constexpr int if_untraced = Element<T> ? 64 : 1;

/// What + leaves as it is, as a constant.
template <class T>
  requires requires { typename T::value_type; }
DEVICE T identity() {
  return Identity<plain<T>>::value();
}

}  // namespace HALF
}  // namespace bscope
