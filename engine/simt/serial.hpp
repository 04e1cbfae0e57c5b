// What each family must compute, said as plainly as possible. int32 wraps as on the GPU; float and double are
// summed in double, which a result is compared with to a tolerance.
#pragma once

#include <string>
#include <vector>

#include "engine/simt/half.hpp"
#include "engine/simt/problem.hpp"

namespace bscope {
inline namespace HALF {
namespace serial {

/// The element type's arithmetic on values that are kept as doubles. The type is looked up once a run, not
/// once a value: full-size checks add 2^28 of them.
template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return T(uint32_t(a) + uint32_t(b));
  else
    return a + b;
}
template <class T>
T product_of(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return T(uint32_t(a) * uint32_t(b));
  else
    return a * b;
}
/// What a serial run adds up in.
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, float>, double, T>;

inline double as_double(double v) { return v; }
template <class V>
double as_double(Min<V> v) {
  return double(v.value);
}
template <class V>
double as_double(Max<V> v) {
  return double(v.value);
}
inline double as_double(Affine v) { return double(uint32_t(v.slope) << 16 | v.offset); }

/// y[i] = x[0] + ... + x[i].
inline std::vector<double> inclusive_scan(const Problem& p) {
  return with_element(p, [&](auto first) {
    using T = Sum<decltype(first)>;
    std::vector<double> y(p.data.size());
    T sum = first;
    for (size_t k = 0; k < y.size(); ++k) y[k] = as_double(sum = sum_of(sum, T(p.data[k])));
    return y;
  });
}
/// y[i] = x[0] + ... + x[i-1].
inline std::vector<double> exclusive_scan(const Problem& p) {
  return with_element(p, [&](auto first) {
    using T = Sum<decltype(first)>;
    std::vector<double> y(p.data.size());
    T sum = first;
    for (size_t k = 0; k < y.size(); ++k) {
      y[k] = as_double(sum);
      sum = sum_of(sum, T(p.data[k]));
    }
    return y;
  });
}
/// Whichever the parameter `scan` names.
inline std::vector<double> scan(const Problem& p) {
  return p.text("scan") == "inclusive" ? inclusive_scan(p) : exclusive_scan(p);
}
/// One element: all together.
inline std::vector<double> reduction(const Problem& p) {
  return with_element(p, [&](auto first) {
    using T = Sum<decltype(first)>;
    T sum = first;
    for (double x : p.data) sum = sum_of(sum, T(x));
    return std::vector<double>{as_double(sum)};
  });
}
/// One number: the sum of the power-th powers.
inline std::vector<double> sum_of_powers(const Problem& p, int power) {
  return with_type(p, [&](auto zero) {
    using T = Sum<decltype(zero)>;
    T sum = 0;
    for (double v : p.data) {
      const T x = T(v);
      T y = x;
      for (int k = 1; k < power; ++k) y = product_of(y, x);
      sum = sum_of(sum, y);
    }
    return std::vector<double>{as_double(sum)};
  });
}
/// How often each key occurs.
inline std::vector<double> histogram(const Problem& p) {
  std::vector<double> bins;
  bins.resize(size_t(p["bins"]));
  for (double x : p.data) ++bins.at(size_t(x));
  return bins;
}

}  // namespace serial
}  // namespace HALF
}  // namespace bscope
