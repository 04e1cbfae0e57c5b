#include "engine/cuda/remote/messages.hpp"

#include <algorithm>
#include <bit>

namespace bscope::cuda {
namespace {

uint32_t bits_of(float v) { return std::bit_cast<uint32_t>(v); }
float float_of(uint32_t bits) { return std::bit_cast<float>(bits); }

}  // namespace

TextureFields fields_of(const Texture& t) {
  TextureFields f{.shape = t.shape,
                  .is_surface = t.is_surface,
                  .linear_filter = t.linear_filter,
                  .linear_levels = t.linear_levels,
                  .normalized = t.normalized,
                  .as_float = t.as_float,
                  .srgb = t.srgb,
                  .format = t.format,
                  .levels = t.levels,
                  .address = t.address,
                  .level_bias = bits_of(t.level_bias),
                  .least_level = bits_of(t.least_level),
                  .most_level = bits_of(t.most_level)};
  std::ranges::transform(t.border, f.border.begin(), bits_of);
  return f;
}

Texture texture_of(const TextureFields& f) {
  Texture t{.shape = f.shape,
            .is_surface = f.is_surface,
            .format = f.format,
            .levels = f.levels,
            .address = f.address,
            .linear_filter = f.linear_filter,
            .linear_levels = f.linear_levels,
            .normalized = f.normalized,
            .as_float = f.as_float,
            .srgb = f.srgb,
            .level_bias = float_of(f.level_bias),
            .least_level = float_of(f.least_level),
            .most_level = float_of(f.most_level)};
  std::ranges::transform(f.border, t.border.begin(), float_of);
  return t;
}

}  // namespace bscope::cuda
