// Discrete Fourier transforms of any length in O(n log n).
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace bscope::cuda {

using Complex = std::complex<double>;

/// exp(2 pi i k / n), for 0 <= k < n. Quarters of a circle are exact.
Complex root_of_unity(long long k, long long n);

/// The transform of one length and direction: to[k] = the sum of from[j] * exp(direction * 2 pi i j k / n).
/// A length is taken apart into its prime factors (Cooley and Tukey); the transform of a large prime becomes
/// a convolution whose length is a power of two (Bluestein).
class Fourier {
 public:
  /// `direction`: -1 or 1.
  Fourier(size_t n, int direction);
  /// `values` has that length.
  void transform(std::span<Complex> values) const;

 private:
  struct Convolution {
    size_t prime;
    std::vector<Complex> chirp;   ///< exp(direction * pi i k^2 / prime)
    std::vector<Complex> filter;  ///< the transform of what is convolved with
    std::unique_ptr<Fourier> there, back;
  };

  void transform(const Complex* from, size_t step, Complex* to, size_t n) const;
  void combine(Complex* to, size_t n, size_t factor) const;
  void transform_prime(const Complex* from, size_t step, Complex* to, size_t prime) const;
  Convolution convolution(size_t prime) const;
  static void convolve(const Convolution&, const Complex* from, size_t step, Complex* to);

  size_t n_;
  int direction_;
  std::vector<Complex> roots_;             ///< of unity, by k
  std::vector<Convolution> convolutions_;  ///< one for each large prime factor
};

}  // namespace bscope::cuda
