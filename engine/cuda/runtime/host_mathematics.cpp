// The mathematical functions that CUDA's headers give host code, and C++ has not.
#include <cmath>

#include "engine/cuda/machine/special_functions.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): no name of a program's own
#pragma GCC visibility push(default)
extern "C" {
double __bscope_host_rcbrt(double x) { return 1 / std::cbrt(x); }
double __bscope_host_sinpi(double x) { return bscope::cuda::sine_of_half_turns(x); }
double __bscope_host_cospi(double x) { return bscope::cuda::cosine_of_half_turns(x); }
double __bscope_host_erfinv(double x) { return bscope::cuda::erf_inverse(x); }
double __bscope_host_erfcinv(double x) { return bscope::cuda::erfc_inverse(x); }
double __bscope_host_erfcx(double x) { return bscope::cuda::scaled_erfc(x); }
double __bscope_host_normcdf(double x) { return bscope::cuda::normal_cdf(x); }
// CUDA's is -sqrt(2) * erfcinv(2 * x), so that it is -0 in the middle.
double __bscope_host_normcdfinv(double x) { return x == 0.5 ? -0.0 : bscope::cuda::normal_cdf_inverse(x); }
}
#pragma GCC visibility pop
// NOLINTEND(bugprone-reserved-identifier)
