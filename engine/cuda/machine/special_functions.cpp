#include "engine/cuda/machine/special_functions.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace bscope::cuda {
namespace {

using Wide = long double;
constexpr double inf = std::numeric_limits<double>::infinity(),
                 nan = std::numeric_limits<double>::quiet_NaN();
constexpr Wide pi = std::numbers::pi_v<Wide>;
constexpr Wide slope = 2 * std::numbers::inv_sqrtpi_v<Wide>;  // of erf at 0

/// Of y within 1 / 2: Newton's steps from the first terms of its series.
Wide erf_inverse_near_zero(Wide y) {
  const Wide z = y / slope;
  Wide x = z + z * z * z / 3;
  for (int k = 0; k < 5; ++k) x -= (std::erf(x) - y) / (slope * std::exp(-x * x));
  return x;
}

/// Of y below 1 / 2: Newton's steps for the logarithm, which is nearly a parabola.
Wide erfc_inverse_in_tail(Wide y) {
  const Wide wanted = std::log(y);
  Wide x = std::sqrt(-std::log(y * std::sqrt(pi * std::fmax(Wide(0.1), -wanted))));
  for (int k = 0; k < 6; ++k) {
    const Wide left = std::erfc(x);
    x += (std::log(left) - wanted) * left / (slope * std::exp(-x * x));
  }
  return x;
}

/// The sum over k of (x / 2)^(2k + order) / (k! (k + order)!): all its terms have one sign.
double modified_bessel(Wide x, int order) {
  const Wide quarter = x * x / 4;
  Wide term = order ? x / 2 : 1, sum = term;
  for (int k = 1; term > sum * std::numeric_limits<Wide>::epsilon() / 4 && k < 2000; ++k) {
    term *= quarter / (Wide(k) * Wide(k + order));
    sum += term;
  }
  return double(sum);
}

}  // namespace

double erf_inverse(double y) {
  if (!(std::fabs(y) <= 1)) return nan;
  if (std::fabs(y) == 1) return std::copysign(inf, y);
  if (y == 0) return y;
  if (std::fabs(y) <= 0.5) return double(erf_inverse_near_zero(y));
  return std::copysign(double(erfc_inverse_in_tail(1 - Wide(std::fabs(y)))), y);
}

double erfc_inverse(double y) {
  if (!(y >= 0 && y <= 2)) return nan;
  if (y == 0 || y == 2) return y == 0 ? inf : -inf;
  if (y < 0.5) return double(erfc_inverse_in_tail(y));
  if (y > 1.5) return -double(erfc_inverse_in_tail(2 - Wide(y)));
  return double(erf_inverse_near_zero(1 - Wide(y)));
}

double scaled_erfc(double x) {
  const Wide square = Wide(x) * x;
  if (x < 10) return x < -27 ? inf : double(std::exp(square) * std::erfc(Wide(x)));
  // 1 - 1 / (2x^2) + 1 * 3 / (2x^2)^2 - ...
  Wide term = 1, sum = 1;
  for (int k = 1; k < 40 && std::fabs(term) > 1e-25L; ++k) {
    term *= -(2 * k - 1) / (2 * square);
    sum += term;
  }
  return double(sum / (x * std::sqrt(pi)));
}

double normal_cdf(double x) { return double(std::erfc(-Wide(x) / std::numbers::sqrt2_v<Wide>) / 2); }

double normal_cdf_inverse(double p) {
  if (!(p >= 0 && p <= 1)) return nan;
  if (p == 0 || p == 1) return p == 0 ? -inf : inf;
  const Wide root = std::numbers::sqrt2_v<Wide>;
  if (p < 0.25) return double(-root * erfc_inverse_in_tail(2 * Wide(p)));
  if (p > 0.75) return double(root * erfc_inverse_in_tail(2 * (1 - Wide(p))));
  return double(root * erf_inverse_near_zero(2 * Wide(p) - 1));
}

double modified_bessel_i0(double x) { return std::fabs(x) > 720 ? inf : modified_bessel(std::fabs(x), 0); }
double modified_bessel_i1(double x) {
  if (std::fabs(x) > 720) return std::copysign(inf, x);
  return std::copysign(modified_bessel(std::fabs(x), 1), x);
}

double sine_of_half_turns(double v) {
  const double turn = std::remainder(v, 2), size = std::fabs(turn);  // of a period, from -1 to 1: exact
  if (size == 0 || size == 1) return std::copysign(0, v);
  const double within = size > 0.5 ? 1 - size : size;
  const Wide sine = within > 0.25 ? std::cos(pi * (Wide(0.5) - within)) : std::sin(pi * Wide(within));
  return std::copysign(double(sine), turn);
}
double cosine_of_half_turns(double v) {
  const double size = std::fabs(std::remainder(v, 2));
  if (size == 0.5) return 0;
  const double within = size > 0.5 ? 1 - size : size;
  const Wide cosine = within > 0.25 ? std::sin(pi * (Wide(0.5) - within)) : std::cos(pi * Wide(within));
  return size > 0.5 ? double(-cosine) : double(cosine);
}

}  // namespace bscope::cuda
