#include "engine/cuda/machine/texture_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bscope::cuda {
namespace {

constexpr int64_t whole = 256;  // 256ths of a texel
constexpr double far =
    1099511627776;  // no coordinate is further away that a float can tell from its neighbour

int64_t modulo(int64_t a, int64_t n) { return (a % n + n) % n; }

/// A coordinate in texels. Not a number is 0.
double in_texels(const TextureAxis& axis, float coordinate) {
  const double at = axis.normalized ? double(coordinate) * double(axis.size) : double(coordinate);
  return std::isnan(at) ? 0 : std::clamp(at, -far, far);
}

float half_value(uint16_t bits) {
  constexpr int bias = 15, fraction_bits = 10;
  const int exponent = bits >> fraction_bits & 31, fraction = bits & 1023;
  const float sign = bits >> 15 ? -1.f : 1.f;
  if (exponent == 31) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(float(fraction), 1 - bias - fraction_bits);
  return sign * std::ldexp(float(fraction + 1024), exponent - bias - fraction_bits);
}

int64_t texel_integer(uint64_t bits, TexelFormat format) {
  const int shift = 64 - 8 * format.bytes;
  return format.kind == ChannelKind::with_sign ? int64_t(bits << shift) >> shift
                                               : int64_t(bits << shift >> shift);
}

/// The integer that stands for 1.
int64_t greatest_texel(TexelFormat format) {
  const int bits = 8 * format.bytes - (format.kind == ChannelKind::with_sign);
  return (int64_t(1) << bits) - 1;
}

/// IEC 61966-2-1.
double linear_of_srgb(double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); }

/// Integers are filtered with 16 bits: a fetch gives one of 65535 (or twice 32767) steps, whatever the
/// texels' own width.
int64_t filter_scale(TexelFormat format) { return format.kind == ChannelKind::with_sign ? 32767 : 65535; }

}  // namespace

int64_t led_back(const TextureAxis& axis, int64_t index) {
  const auto n = int64_t(axis.size);
  const bool repeats = axis.normalized;  // "wrap and mirror are only supported for normalized coordinates"
  switch (axis.address) {
    case TextureAddress::border: return index >= 0 && index < n ? index : -1;
    case TextureAddress::wrap:
      if (repeats) return modulo(index, n);
      break;
    case TextureAddress::mirror:
      if (repeats) {
        const int64_t at = modulo(index, 2 * n);
        return at < n ? at : 2 * n - 1 - at;
      }
      break;
    case TextureAddress::clamp: break;
  }
  return std::clamp<int64_t>(index, 0, n - 1);
}

AxisPlace place_on(const TextureAxis& axis, float coordinate) {
  const double at = in_texels(axis, coordinate);
  const auto fixed = int64_t(std::floor((at - 0.5) * double(whole) + 0.5));
  return {fixed >> 8, uint32_t(fixed & (whole - 1))};
}

AxisTaps taps_of(const TextureAxis& axis, float coordinate) {
  AxisTaps all;
  const AxisPlace place = axis.linear ? place_on(axis, coordinate)
                                      : AxisPlace{int64_t(std::floor(in_texels(axis, coordinate))), 0};
  all.taps[0] = {led_back(axis, place.index), uint32_t(whole) - place.weight};
  if (place.weight == 0) return all;
  all.taps[1] = {led_back(axis, place.index + 1), place.weight};
  all.count = 2;
  return all;
}

CubemapPlace cubemap_place(float x, float y, float z) {
  const float a = std::fabs(x), b = std::fabs(y), c = std::fabs(z);
  CubemapPlace place;
  float s = 0, t = 0, m = 1;
  if (a >= b && a >= c) {
    place.face = x >= 0 ? 0 : 1;
    m = a, s = x >= 0 ? -z : z, t = -y;
  } else if (b >= c) {
    place.face = y >= 0 ? 2 : 3;
    m = b, s = x, t = y >= 0 ? z : -z;
  } else {
    place.face = z >= 0 ? 4 : 5;
    m = c, s = z >= 0 ? x : -x, t = -y;
  }
  if (m == 0) return place;
  place.x = (s / m + 1) / 2;
  place.y = (t / m + 1) / 2;
  return place;
}

LevelTaps level_taps(float level, bool linear, uint32_t levels) {
  const auto last = double(levels - 1);
  const double at = std::isnan(level) ? 0 : std::clamp(double(level), 0., last);
  if (!linear) {
    const auto nearest = uint32_t(std::min(last, std::floor(at + 0.5)));
    return {nearest, nearest, 0};
  }
  const auto fixed = uint32_t(std::floor(at * double(whole) + 0.5));
  const uint32_t lower = fixed >> 8, weight = fixed & uint32_t(whole - 1);
  return {lower, weight ? lower + 1 : lower, weight};
}

float channel_value(uint64_t bits, TexelFormat format, bool srgb) {
  if (format.kind == ChannelKind::floating) {
    if (format.bytes == 2) return half_value(uint16_t(bits));
    const auto word = uint32_t(bits);
    float v = 0;
    std::memcpy(&v, &word, sizeof v);
    return v;
  }
  const double v = double(texel_integer(bits, format)) / double(greatest_texel(format));
  return float(srgb ? linear_of_srgb(v) : std::max(v, -1.));
}

void FilterSum::add(uint64_t bits, double weight) {
  if (format_.kind == ChannelKind::floating || srgb_) {
    sum_ += static_cast<long double>(channel_value(bits, format_, srgb_)) * weight;
    return;
  }
  const int64_t scale = filter_scale(format_), most = greatest_texel(format_);
  const int64_t n = std::max(texel_integer(bits, format_), -most);
  sum_ += static_cast<long double>(std::llround(double(n * scale) / double(most))) * weight;
}

void FilterSum::add_border(float value, double weight) {
  const bool scaled = format_.kind != ChannelKind::floating && !srgb_;
  const double unit = scaled ? double(filter_scale(format_)) : 1.;
  sum_ += static_cast<long double>(value) * unit * weight;
}

float FilterSum::value() const {
  if (format_.kind == ChannelKind::floating || srgb_) return float(sum_);
  return float(double(std::floor(sum_ + 0.5L)) / double(filter_scale(format_)));
}

}  // namespace bscope::cuda
