// Functions that CUDA has and C++ has not, or not on every machine. All to within the last bits of a double.
#pragma once

namespace bscope::cuda {

double erf_inverse(double y);         ///< x of erf(x) = y
double erfc_inverse(double y);        ///< x of erfc(x) = y
double scaled_erfc(double x);         ///< exp(x * x) * erfc(x), without its overflow
double normal_cdf(double x);          ///< how much of a standard normal distribution lies below x
double normal_cdf_inverse(double p);  ///< x of normal_cdf(x) = p
double modified_bessel_i0(double x);  ///< of the first kind
double modified_bessel_i1(double x);
double sine_of_half_turns(double v);  ///< sin(pi * v), exact at multiples of 1 / 2
double cosine_of_half_turns(double v);

}  // namespace bscope::cuda
