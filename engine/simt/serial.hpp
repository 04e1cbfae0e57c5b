// What each family must compute, said as plainly as possible. int32 wraps as on the GPU; float and double are
// summed in double, which a result is compared with to a tolerance.
#pragma once

#include <string>
#include <vector>

#include "engine/simt/problem.hpp"

namespace bscope::serial {

/// The element type's sum of two values.
inline double sum_of(const Problem& p, double a, double b) {
  return with_type(p, [&](auto zero) -> double {
    if constexpr (std::is_integral_v<decltype(zero)>)
      return int32_t(uint32_t(int64_t(a)) + uint32_t(int64_t(b)));
    else
      return a + b;
  });
}
inline double product_of(const Problem& p, double a, double b) {
  return with_type(p, [&](auto zero) -> double {
    if constexpr (std::is_integral_v<decltype(zero)>)
      return int32_t(uint32_t(int64_t(a)) * uint32_t(int64_t(b)));
    else
      return a * b;
  });
}

/// y[i] = x[0] + ... + x[i].
inline std::vector<double> inclusive_scan(const Problem& p) {
  std::vector<double> y;
  double sum = 0;
  for (double x : p.data) y.push_back(sum = sum_of(p, sum, x));
  return y;
}
/// y[i] = x[0] + ... + x[i-1].
inline std::vector<double> exclusive_scan(const Problem& p) {
  std::vector<double> y;
  double sum = 0;
  for (double x : p.data) {
    y.push_back(sum);
    sum = sum_of(p, sum, x);
  }
  return y;
}
/// One number: the sum of the power-th powers.
inline std::vector<double> sum_of_powers(const Problem& p, int power) {
  double sum = 0;
  for (double x : p.data) {
    double y = x;
    for (int k = 1; k < power; ++k) y = product_of(p, y, x);
    sum = sum_of(p, sum, y);
  }
  return {sum};
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
