// What each family must compute, said as plainly as possible. int32 wraps as on the GPU; float and double are
// summed in double, which a result is compared with to a tolerance.
#pragma once

#include <string>
#include <vector>

#include "engine/simt/problem.hpp"

namespace bscope::serial {

/// The element type's arithmetic on values that are kept as doubles. The type is looked up once a run, not
/// once a value: full-size checks add 2^28 of them.
template <class T>
double sum_of(double a, double b) {
  if constexpr (std::is_integral_v<T>)
    return int32_t(uint32_t(int64_t(a)) + uint32_t(int64_t(b)));
  else
    return a + b;
}
template <class T>
double product_of(double a, double b) {
  if constexpr (std::is_integral_v<T>)
    return int32_t(uint32_t(int64_t(a)) * uint32_t(int64_t(b)));
  else
    return a * b;
}

/// y[i] = x[0] + ... + x[i].
inline std::vector<double> inclusive_scan(const Problem& p) {
  return with_type(p, [&](auto zero) {
    std::vector<double> y(p.data.size());
    double sum = 0;
    for (size_t k = 0; k < y.size(); ++k) y[k] = sum = sum_of<decltype(zero)>(sum, p.data[k]);
    return y;
  });
}
/// y[i] = x[0] + ... + x[i-1].
inline std::vector<double> exclusive_scan(const Problem& p) {
  return with_type(p, [&](auto zero) {
    std::vector<double> y(p.data.size());
    double sum = 0;
    for (size_t k = 0; k < y.size(); ++k) {
      y[k] = sum;
      sum = sum_of<decltype(zero)>(sum, p.data[k]);
    }
    return y;
  });
}
/// One number: the sum of the power-th powers.
inline std::vector<double> sum_of_powers(const Problem& p, int power) {
  return with_type(p, [&](auto zero) {
    using T = decltype(zero);
    double sum = 0;
    for (double x : p.data) {
      double y = x;
      for (int k = 1; k < power; ++k) y = product_of<T>(y, x);
      sum = sum_of<T>(sum, y);
    }
    return std::vector<double>{sum};
  });
}
inline std::vector<double> sum(const Problem& p) { return sum_of_powers(p, 1); }
/// How often each key occurs.
inline std::vector<double> histogram(const Problem& p) {
  std::vector<double> bins;
  bins.resize(size_t(p["bins"]));
  for (double x : p.data) ++bins.at(size_t(x));
  return bins;
}

}  // namespace bscope::serial
