// What a fetch from a texture computes: which texels it takes, with which weights, and what a texel's bits
// stand for (CUDA C++ Programming Guide, "Texture Fetching").
#pragma once

#include <array>
#include <cstdint>

namespace bscope::cuda {

/// How coordinates beyond a texture are led back. The numbers are cudaTextureAddressMode's.
enum class TextureAddress : uint8_t { wrap, clamp, mirror, border };
constexpr TextureAddress last_of(TextureAddress) { return TextureAddress::border; }

/// What the bits of a channel are, as cudaChannelFormatKind has it.
enum class ChannelKind : uint8_t { with_sign, without_sign, floating };
constexpr ChannelKind last_of(ChannelKind) { return ChannelKind::floating; }

struct TexelFormat {
  ChannelKind kind = ChannelKind::floating;
  uint8_t bytes = 4;  ///< of a channel
  uint8_t channels = 1;
  uint32_t texel_bytes() const { return uint32_t(bytes) * channels; }
  bool operator==(const TexelFormat&) const = default;
  template <class Self, class Visit>
  static void fields(Self& f, Visit&& visit) {
    visit("kind", f.kind);
    visit("bytes", f.bytes);
    visit("channels", f.channels);
  }
};

/// One texel along an axis, and its weight.
struct AxisTap {
  int64_t index = 0;    ///< of the texel; -1: the border
  uint32_t weight = 0;  ///< in 256ths
};
/// The texels of an axis that a fetch takes: one, or two neighbours.
struct AxisTaps {
  std::array<AxisTap, 2> taps{};
  int count = 1;
};

/// How an axis of a texture is read.
struct TextureAxis {
  uint32_t size = 1;  ///< texels
  TextureAddress address = TextureAddress::clamp;
  bool normalized = false;  ///< coordinates go from 0 to 1
  bool linear = false;      ///< two neighbours are filtered
};

/// The texels that a fetch takes along an axis.
AxisTaps taps_of(const TextureAxis&, float coordinate);

/// Between two neighbours: the number of the first, not yet led back, and the weight of the second in 256ths.
struct AxisPlace {
  int64_t index = 0;
  uint32_t weight = 0;
};
/// The place of a coordinate between texels. The hardware rounds to 256ths of a texel, to the nearest: "alpha
/// is stored in 9-bit fixed point format with 8 bits of fractional value".
AxisPlace place_on(const TextureAxis&, float coordinate);
/// Where a texel of that number lies on the axis; -1: the border.
int64_t led_back(const TextureAxis&, int64_t index);

/// The face of a cubemap that a direction meets, and where, from 0 to 1.
struct CubemapPlace {
  int face = 0;
  float x = 0, y = 0;
};
CubemapPlace cubemap_place(float x, float y, float z);

/// The level of detail of a fetch, as the level below and the weight of the one above it in 256ths.
struct LevelTaps {
  uint32_t lower = 0, upper = 0;
  uint32_t weight = 0;
};
LevelTaps level_taps(float level, bool linear, uint32_t levels);

/// A channel's value: of integers that are read as normalized floats, from 0 or -1 to 1; of halves and
/// floats, the number itself.
float channel_value(uint64_t bits, TexelFormat, bool srgb);

/// What filtering makes of texels.
class FilterSum {
 public:
  /// `srgb`: the channel is stored as sRGB.
  FilterSum(TexelFormat format, bool srgb) : format_(format), srgb_(srgb) {}
  /// Adds a texel's channel. `weight`: 1 is all of it.
  void add(uint64_t bits, double weight);
  /// Adds a texel of the border.
  void add_border(float value, double weight);
  float value() const;

 private:
  TexelFormat format_;
  bool srgb_;
  long double sum_ = 0;
};

}  // namespace bscope::cuda
