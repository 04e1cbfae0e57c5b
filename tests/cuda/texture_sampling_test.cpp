// What a fetch from a texture takes and what it makes of it, by the rules of the CUDA C++ Programming Guide.
#include "engine/cuda/machine/texture_sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace bscope::cuda {
namespace {

constexpr TexelFormat floats{ChannelKind::floating, 4, 1}, bytes{ChannelKind::without_sign, 1, 1};

uint64_t bits(float v) {
  uint32_t word = 0;
  std::memcpy(&word, &v, sizeof v);
  return word;
}

/// Linear filtering of two texels with a weight in 256ths.
float between(TexelFormat format, uint64_t a, uint64_t b, uint32_t weight) {
  FilterSum sum(format, false);
  sum.add(a, (256 - weight) / 256.);
  sum.add(b, weight / 256.);
  return sum.value();
}

TEST(TextureSampling, ThePointFilterTakesTheTexelThatTheCoordinateIsIn) {
  const TextureAxis axis{.size = 4};
  const auto at = [&](float x) { return taps_of(axis, x).taps[0].index; };
  EXPECT_EQ(at(0), 0);
  EXPECT_EQ(at(0.999f), 0);
  EXPECT_EQ(at(1), 1);
  EXPECT_EQ(at(3.5f), 3);
  EXPECT_EQ(at(4), 3);
  EXPECT_EQ(at(-0.1f), 0);
  EXPECT_EQ(at(1e30f), 3);
  EXPECT_EQ(at(NAN), 0);
}

/// A table that was printed on hardware: two texels, 1 and 2, normalized coordinates.
TEST(TextureSampling, TheWeightIsTheNearest256th) {
  const TextureAxis axis{.size = 2, .normalized = true, .linear = true};
  const std::vector<std::pair<float, double>> printed = {{0.300000012f, 1.1015625},
                                                         {0.349999994f, 1.19921875},
                                                         {0.400000006f, 1.30078125},
                                                         {0.449999988f, 1.3984375},
                                                         {0.5f, 1.5},
                                                         {0.550000012f, 1.6015625},
                                                         {0.600000024f, 1.69921875},
                                                         {0.649999976f, 1.80078125},
                                                         {0.699999988f, 1.8984375}};
  for (const auto& [x, value] : printed) {
    const AxisTaps t = taps_of(axis, x);
    ASSERT_EQ(t.count, 2);
    EXPECT_EQ(1 + t.taps[1].weight / 256., value) << x;
  }
}

TEST(TextureSampling, NeighboursAreLedBackOneByOne) {
  const auto taps = [](TextureAddress mode, float x) {
    const AxisTaps t = taps_of({.size = 4, .address = mode, .normalized = true, .linear = true}, x);
    return std::vector<int64_t>{t.taps[0].index, t.taps[1].index};
  };
  EXPECT_EQ(taps(TextureAddress::clamp, 0.0625f), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(taps(TextureAddress::wrap, 0.0625f), (std::vector<int64_t>{3, 0}));
  EXPECT_EQ(taps(TextureAddress::mirror, 0.0625f), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(taps(TextureAddress::border, 0.0625f), (std::vector<int64_t>{-1, 0}));
  EXPECT_EQ(taps(TextureAddress::wrap, 0.9375f), (std::vector<int64_t>{3, 0}));
  EXPECT_EQ(taps(TextureAddress::mirror, 1.1875f), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(taps(TextureAddress::wrap, -1.1875f), (std::vector<int64_t>{2, 3}));
}

TEST(TextureSampling, WrapAndMirrorClampWhereCoordinatesCountTexels) {
  for (const TextureAddress mode : {TextureAddress::wrap, TextureAddress::mirror, TextureAddress::clamp})
    EXPECT_EQ(taps_of({.size = 4, .address = mode}, 5.5f).taps[0].index, 3);
}

TEST(TextureSampling, FloatsAreFilteredExactlyAndRoundedOnce) {
  EXPECT_EQ(between(floats, bits(0.f), bits(1.f), 77), 77 / 256.f);
  EXPECT_EQ(between(floats, bits(1e8f), bits(1.2345678f), 128), float((1e8 + double(1.2345678f)) / 2));
}

TEST(TextureSampling, IntegersBecomeOneOf65535Steps) {
  EXPECT_EQ(channel_value(255, bytes, false), 1);
  EXPECT_EQ(channel_value(51, bytes, false), 0.2f);
  EXPECT_EQ(channel_value(0x80, {ChannelKind::with_sign, 1, 1}, false), -1);  // -128, as -127
  EXPECT_EQ(channel_value(0x81, {ChannelKind::with_sign, 1, 1}, false), -1);
  const TexelFormat shorts{ChannelKind::without_sign, 2, 1};
  EXPECT_EQ(between(shorts, 11, 12, 128), 12 / 65535.f);  // printed on hardware: halves are rounded up
  EXPECT_EQ(between(shorts, 31, 253, 128), 142 / 65535.f);
  EXPECT_EQ(between(bytes, 0, 255, 256), 1);
}

TEST(TextureSampling, HalvesAreTheirNumbers) {
  const TexelFormat halves{ChannelKind::floating, 2, 1};
  EXPECT_EQ(channel_value(0x3c00, halves, false), 1);
  EXPECT_EQ(channel_value(0xc000, halves, false), -2);
  EXPECT_EQ(channel_value(0x7bff, halves, false), 65504);
  EXPECT_EQ(channel_value(0x0001, halves, false), std::ldexp(1.f, -24));
  EXPECT_TRUE(std::isinf(channel_value(0x7c00, halves, false)));
  EXPECT_TRUE(std::isnan(channel_value(0x7e00, halves, false)));
}

TEST(TextureSampling, LevelsAreTheNearestOrTwo) {
  EXPECT_EQ(level_taps(1.5f, false, 4).lower, 2u);
  EXPECT_EQ(level_taps(-3, false, 4).lower, 0u);
  EXPECT_EQ(level_taps(9, true, 4).lower, 3u);
  EXPECT_EQ(level_taps(9, true, 4).weight, 0u);
  const LevelTaps t = level_taps(1.25f, true, 4);
  EXPECT_EQ(t.lower, 1u);
  EXPECT_EQ(t.upper, 2u);
  EXPECT_EQ(t.weight, 64u);
}

TEST(TextureSampling, ADirectionMeetsOneFaceOfACubemap) {
  EXPECT_EQ(cubemap_place(1, 0, 0).face, 0);
  EXPECT_EQ(cubemap_place(-1, 0, 0).face, 1);
  EXPECT_EQ(cubemap_place(0, 2, 1).face, 2);
  EXPECT_EQ(cubemap_place(0, -2, 1).face, 3);
  EXPECT_EQ(cubemap_place(0, 0, 3).face, 4);
  EXPECT_EQ(cubemap_place(0, 0, -3).face, 5);
  const CubemapPlace p = cubemap_place(2, 1, -1);
  EXPECT_EQ(p.x, 0.75f);
  EXPECT_EQ(p.y, 0.25f);
}

}  // namespace
}  // namespace bscope::cuda
