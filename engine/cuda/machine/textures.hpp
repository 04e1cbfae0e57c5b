// What texture and surface objects stand for, and texture and surface references. A kernel that fetches names
// one by a number: an object's own, or the address of a reference's variable.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/cuda/machine/texture_sampling.hpp"

namespace bscope::cuda {

/// The texels of one level, in rows.
struct TextureLevel {
  uint64_t address = 0;
  uint32_t width = 1, height = 1;
  uint32_t depth = 1;  ///< slices of three dimensions, or layers
  uint64_t pitch = 0;  ///< bytes from a row to the next
  uint64_t slice() const { return pitch * height; }
  template <class Self, class Visit>
  static void fields(Self& l, Visit&& visit) {
    visit("address", l.address);
    visit("width", l.width);
    visit("height", l.height);
    visit("depth", l.depth);
    visit("pitch", l.pitch);
  }
};

struct Texture {
  /// Which functions fetch from it.
  enum Shape : uint8_t {
    linear,  ///< memory that tex1Dfetch reads
    one,
    two,
    three,
    one_layered,
    two_layered,
    cubemap,
    cubemap_layered,
  } shape = two;
  enum State : uint8_t { bound, destroyed } state = bound;
  bool is_surface = false;
  TexelFormat format;
  std::vector<TextureLevel> levels;
  std::array<TextureAddress, 3> address{};
  bool linear_filter = false, linear_levels = false, normalized = false;
  bool as_float = false;  ///< integers are read as normalized floats
  bool srgb = false;
  std::array<float, 4> border{};
  float level_bias = 0, least_level = 0, most_level = 0;

  bool gives_floats() const { return format.kind == ChannelKind::floating || as_float; }
  bool is_layered() const { return shape == one_layered || shape == two_layered || shape == cubemap_layered; }
  bool is_cubemap() const { return shape == cubemap || shape == cubemap_layered; }
};

constexpr Texture::Shape last_of(Texture::Shape) { return Texture::cubemap_layered; }

/// All of them.
class Textures {
 public:
  /// A new object. Its number is never used again, so that a kernel that still has it gets a finding.
  uint64_t add(Texture t) {
    all_[++last_] = std::move(t);
    return last_;
  }
  /// Binds a reference, which is known by its variable's address.
  void bind(uint64_t reference, Texture t) { all_[reference] = std::move(t); }
  void unbind(uint64_t reference) { all_.erase(reference); }
  /// nullptr: no object, or a reference that is not bound.
  Texture* find(uint64_t number) {
    const auto it = all_.find(number);
    return it == all_.end() ? nullptr : &it->second;
  }

 private:
  std::unordered_map<uint64_t, Texture> all_;
  uint64_t last_ = 0;
};

}  // namespace bscope::cuda
