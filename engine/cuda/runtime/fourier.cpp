#include "engine/cuda/runtime/fourier.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace bscope::cuda {
namespace {

/// From here on a prime's own sum takes longer than its convolution.
constexpr size_t large_prime = 64;

size_t least_factor(size_t n) {
  for (size_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}
/// Without the rules for infinities that std::complex keeps.
Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace

Complex root_of_unity(long long k, long long n) {
  if (2 * k > n) return std::conj(root_of_unity(n - k, n));
  if (4 * k > n) {
    const Complex mirrored = root_of_unity(n - 2 * k, 2 * n);
    return {-mirrored.real(), mirrored.imag()};
  }
  if (8 * k > n) {
    const Complex mirrored = root_of_unity(n - 4 * k, 4 * n);
    return {mirrored.imag(), mirrored.real()};
  }
  const double angle = 2 * std::numbers::pi * double(k) / double(n);
  return {std::cos(angle), std::sin(angle)};
}

Fourier::Fourier(size_t n, int direction) : n_(n), direction_(direction), roots_(n) {
  for (size_t k = 0; k < n; ++k) {
    const Complex root = root_of_unity((long long)(k), (long long)(n));
    roots_[k] = direction < 0 ? std::conj(root) : root;
  }
  for (size_t rest = n; rest > 1;) {
    const size_t prime = least_factor(rest);
    while (rest % prime == 0) rest /= prime;
    if (prime >= large_prime) convolutions_.push_back(convolution(prime));
  }
}

void Fourier::transform(std::span<Complex> values) const {
  const std::vector<Complex> from(values.begin(), values.end());
  transform(from.data(), 1, values.data(), n_);
}

void Fourier::transform(const Complex* from, size_t step, Complex* to, size_t n) const {
  if (n == 1) {
    to[0] = from[0];
    return;
  }
  const size_t factor = least_factor(n), part = n / factor;
  if (part == 1) return transform_prime(from, step, to, n);
  for (size_t r = 0; r < factor; ++r) transform(from + r * step, step * factor, to + r * part, part);
  combine(to, n, factor);
}

/// Of `factor` transforms that stand one after the other, to one of length n.
void Fourier::combine(Complex* to, size_t n, size_t factor) const {
  const size_t part = n / factor, stride = n_ / n;
  if (factor == 2) {
    for (size_t k = 0; k < part; ++k) {
      const Complex even = to[k], odd = product(to[part + k], roots_[k * stride]);
      to[k] = even + odd;
      to[part + k] = even - odd;
    }
    return;
  }
  std::vector<Complex> turned(factor), sums(factor);
  for (size_t k = 0; k < part; ++k) {
    for (size_t r = 0; r < factor; ++r) turned[r] = product(to[r * part + k], roots_[r * k * stride]);
    transform_prime(turned.data(), 1, sums.data(), factor);
    for (size_t q = 0; q < factor; ++q) to[q * part + k] = sums[q];
  }
}

void Fourier::transform_prime(const Complex* from, size_t step, Complex* to, size_t prime) const {
  if (const auto c = std::ranges::find(convolutions_, prime, &Convolution::prime); c != convolutions_.end())
    return convolve(*c, from, step, to);
  const size_t stride = n_ / prime;
  for (size_t k = 0; k < prime; ++k) {
    Complex sum = from[0];
    for (size_t j = 1; j < prime; ++j) sum += product(from[j * step], roots_[j * k % prime * stride]);
    to[k] = sum;
  }
}

/// j * k is (j^2 + k^2 - (k - j)^2) / 2.
Fourier::Convolution Fourier::convolution(size_t prime) const {
  const size_t length = std::bit_ceil(2 * prime - 1);
  Convolution c{prime, std::vector<Complex>(prime), std::vector<Complex>(length),
                std::make_unique<Fourier>(length, -1), std::make_unique<Fourier>(length, 1)};
  for (size_t k = 0; k < prime; ++k) {
    const Complex root = root_of_unity((long long)(k * k % (2 * prime)), (long long)(2 * prime));
    c.chirp[k] = direction_ < 0 ? std::conj(root) : root;
    c.filter[k] = c.filter[(length - k) % length] = std::conj(c.chirp[k]);
  }
  c.there->transform(c.filter);
  return c;
}

void Fourier::convolve(const Convolution& c, const Complex* from, size_t step, Complex* to) {
  std::vector<Complex> values(c.filter.size());
  for (size_t j = 0; j < c.prime; ++j) values[j] = product(from[j * step], c.chirp[j]);
  c.there->transform(values);
  for (size_t k = 0; k < values.size(); ++k) values[k] = product(values[k], c.filter[k]);
  c.back->transform(values);
  const double length = double(values.size());
  for (size_t k = 0; k < c.prime; ++k) to[k] = product(values[k], c.chirp[k]) / length;
}

}  // namespace bscope::cuda
