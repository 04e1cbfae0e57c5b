#include "engine/cuda/machine/directed_rounding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace bscope::cuda {
namespace {

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// The sign of the exact sum. The terms are finite, and so are sums of some of them.
int sign_of_sum(std::initializer_list<double> terms) {
  std::array<double, 4> parts = {};  // their sum is that of the terms so far; none overlaps another
  size_t count = 0;
  for (double sum : terms) {
    for (size_t k = 0; k < count; ++k) {  // Knuth's two-sum, exact
      const double a = sum, b = parts[k];
      sum = a + b;
      const double from_b = sum - a;
      parts[k] = (a - (sum - from_b)) + (b - from_b);
    }
    parts[count++] = sum;
  }
  while (count > 0 && parts[count - 1] == 0) --count;
  return count ? sign(parts[count - 1]) : 0;
}

/// A finite number as a fraction in [0.5, 1) and a power of two.
struct Scaled {
  explicit Scaled(double x) : fraction(std::frexp(x, &exponent)) {}
  int exponent = 0;  // before the fraction, whose initialiser sets it
  double fraction;
};

/// Twice the precision: high + low is the exact product of two fractions.
struct Product {
  Product(double a, double b) : high(a * b), low(std::fma(a, b, -high)) {}
  double high, low;
};

/// The sign of a * b + c - nearest. All is scaled so that the larger term is about 1; of one that is far
/// below all bits of the other, the sign alone counts.
int rest_of_fma(double a, double b, double c, double nearest) {
  constexpr int far_below = -400;
  const Scaled x(a), y(b), z(c);
  Product p(x.fraction, y.fraction);
  int of_product = x.exponent + y.exponent, of_addend = z.exponent;
  const int most = p.high == 0 ? of_addend : c == 0 ? of_product : std::max(of_product, of_addend);
  const double there = std::ldexp(nearest, -most);
  if (std::isinf(there)) return -sign(nearest);
  if (of_product - most < far_below) {
    p.low = 0;
    of_product = most + far_below;
  }
  of_addend = std::max(of_addend, most + far_below);
  return sign_of_sum({std::ldexp(p.high, of_product - most), std::ldexp(p.low, of_product - most),
                      std::ldexp(z.fraction, of_addend - most), -there});
}

/// What lies in that direction of a value whose nearest number and the sign of the rest are known.
template <class T>
T toward(RoundingDirection d, T nearest, int rest) {
  if (rest == 0) return nearest;
  const bool is_negative = nearest < 0 || (nearest == 0 && rest < 0);
  const bool up = d == RoundingDirection::upward || (d == RoundingDirection::toward_zero && is_negative);
  constexpr T infinity = std::numeric_limits<T>::infinity();
  if (up) return rest > 0 ? std::nextafter(nearest, infinity) : nearest;
  return rest < 0 ? std::nextafter(nearest, -infinity) : nearest;
}

}  // namespace

template <class T>
T rounded_fma(T a, T b, T c, RoundingDirection d) {
  const T nearest = std::fma(a, b, c);
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return nearest;
  if (std::isinf(nearest)) return toward(d, nearest, -sign(nearest));
  const int rest = rest_of_fma(a, b, c, nearest);
  // "the sign of that sum shall be +0 under all rounding-direction attributes except roundTowardNegative"
  // (IEEE 754, 6.3)
  const bool cancels = nearest == 0 && rest == 0 && (std::signbit(a) != std::signbit(b)) != std::signbit(c);
  return cancels && d == RoundingDirection::downward ? -T(0) : toward(d, nearest, rest);
}

template <class T>
T rounded_sum(T a, T b, RoundingDirection d) {
  return rounded_fma(a, T(1), b, d);
}

template <class T>
T rounded_product(T a, T b, RoundingDirection d) {
  const T nearest = a * b;
  if (!std::isfinite(a) || !std::isfinite(b)) return nearest;
  return toward(d, nearest, std::isinf(nearest) ? -sign(nearest) : rest_of_fma(a, b, 0, nearest));
}

template <class T>
T rounded_quotient(T a, T b, RoundingDirection d) {
  const T nearest = a / b;
  if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0) return nearest;
  if (std::isinf(nearest)) return toward(d, nearest, -sign(nearest));
  if (nearest == 0) return toward(d, nearest, sign(a) * sign(b));
  const Scaled x(a), y(b), q(nearest);
  const Product p(q.fraction, y.fraction);
  const int over = q.exponent + y.exponent - x.exponent;
  return toward(d, nearest,
                sign(b) * sign_of_sum({x.fraction, -std::ldexp(p.high, over), -std::ldexp(p.low, over)}));
}

template <class T>
T rounded_root(T a, RoundingDirection d) {
  const T nearest = std::sqrt(a);
  if (!std::isfinite(a) || !(a > 0)) return nearest;
  const Scaled x(a), root(nearest);
  const Product square(root.fraction, root.fraction);
  return toward(
      d, nearest,
      sign_of_sum({std::ldexp(x.fraction, x.exponent - 2 * root.exponent), -square.high, -square.low}));
}

template <class T, class From>
T rounded_number(From from, RoundingDirection d) {
  const T nearest = T(from);
  if constexpr (std::is_floating_point_v<From>) {
    if (!std::isfinite(from)) return nearest;
    return toward(d, nearest, std::isinf(nearest) ? -sign(nearest) : sign_of_sum({from, -double(nearest)}));
  } else if constexpr (sizeof(From) > 4) {
    constexpr double upper = 4294967296.0;
    return toward(d, nearest,
                  sign_of_sum({double(from >> 32) * upper, double(uint32_t(from)), -double(nearest)}));
  } else {
    return toward(d, nearest, sign_of_sum({double(from), -double(nearest)}));
  }
}

#define ROUNDED(T)                                           \
  template T rounded_sum(T, T, RoundingDirection);           \
  template T rounded_product(T, T, RoundingDirection);       \
  template T rounded_quotient(T, T, RoundingDirection);      \
  template T rounded_root(T, RoundingDirection);             \
  template T rounded_fma(T, T, T, RoundingDirection);        \
  template T rounded_number<T>(double, RoundingDirection);   \
  template T rounded_number<T>(int32_t, RoundingDirection);  \
  template T rounded_number<T>(uint32_t, RoundingDirection); \
  template T rounded_number<T>(int64_t, RoundingDirection);  \
  template T rounded_number<T>(uint64_t, RoundingDirection);
ROUNDED(float)
ROUNDED(double)
#undef ROUNDED

}  // namespace bscope::cuda
