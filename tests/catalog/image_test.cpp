// Images as input: what is read from one, and what is said of one that cannot be read.
#include "engine/catalog/image.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"
#include "tests/places.hpp"
#include "tests/sanitized.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>

namespace bscope {
namespace {

using testing::HasSubstr;

void append(void* to, void* data, int n) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(data), size_t(n));
}
std::string png(int w, int h, int channels, const std::vector<uint8_t>& pixels) {
  std::string bytes;
  stbi_write_png_to_func(append, &bytes, w, h, channels, pixels.data(), w * channels);
  return bytes;
}
std::string jpeg(int w, int h, const std::vector<uint8_t>& grey) {
  std::string bytes;
  stbi_write_jpg_to_func(append, &bytes, w, h, 1, grey.data(), 95);
  return bytes;
}
std::vector<uint8_t> ramp(int w, int h) {
  std::vector<uint8_t> grey;
  for (int k = 0; k < w * h; ++k) grey.push_back(uint8_t(k % w * 255 / std::max(1, w - 1)));
  return grey;
}
std::string refused_image(std::string_view bytes, long long pixels = 0) {
  try {
    decode_image(bytes, "it.png", pixels);
  } catch (const UsageError& e) { return e.what(); }
  return {};
}
std::string refused_image(const RunSpec& r) {
  try {
    make_problem(find(r.kernel), r);
  } catch (const UsageError& e) { return e.what(); }
  return {};
}
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("barrierscope-images-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
    return (path / name).string();
  }
};
const std::string inputs = BARRIERSCOPE_ROOT "/assets/inputs/";

TEST(Image, WeighsColoursAsEyesDo) {
  const GreyImage image = decode_image(png(4, 1, 3, {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255}), "x");
  EXPECT_EQ(image.levels, (std::vector<uint8_t>{76, 150, 29, 255}));
}

TEST(Image, LaysWhatIsTransparentOnWhite) {
  const GreyImage image = decode_image(png(3, 1, 4, {0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 128}), "x");
  EXPECT_EQ(image.levels, (std::vector<uint8_t>{0, 255, 127}));
}

TEST(Image, ReadsJpeg) {
  const GreyImage image = decode_image(jpeg(32, 16, ramp(32, 16)), "x");
  ASSERT_EQ(image.levels.size(), 512u);
  EXPECT_EQ(image.width, 32);
  for (int x = 0; x < 32; ++x) EXPECT_NEAR(image.levels[size_t(x)], x * 255 / 31, 6) << x;
}

TEST(Image, ScalesToTheMeanInProportion) {
  GreyImage image{4, 2, {0, 100, 200, 200, 100, 200, 0, 0}, 4, 2};
  const GreyImage half = scaled(image, 2);
  EXPECT_EQ(half.width, 2);
  EXPECT_EQ(half.height, 1);
  EXPECT_EQ(half.levels, (std::vector<uint8_t>{100, 100}));
  EXPECT_TRUE(half.scaled());
  EXPECT_FALSE(scaled(image, 8).scaled());
  for (auto [w, h, most] : {std::tuple{1000, 1, 7}, {1, 1000, 7}, {300, 200, 1}, {97, 31, 500}}) {
    const GreyImage small = scaled({w, h, std::vector<uint8_t>(size_t(w) * size_t(h), 90), w, h}, most);
    EXPECT_LE(small.width * small.height, most);
    EXPECT_EQ(small.levels, std::vector<uint8_t>(size_t(small.width) * size_t(small.height), 90));
  }
}

TEST(Image, IsToldByNameAndByContent) {
  const Folder folder;
  EXPECT_TRUE(is_image(png(1, 1, 1, {7}), "picture"));
  EXPECT_TRUE(is_image("no", "text.JPEG"));
  EXPECT_FALSE(is_image("1 2 3", "numbers.txt"));
  EXPECT_FALSE(is_image("", "none.png"));
  EXPECT_THAT(refused_image({.kernel = "histogram/racy", .input_file = folder.write("t.png", "3 1 7")}),
              HasSubstr("t.png is no PNG or JPEG image"));
  EXPECT_THAT(refused_image({.kernel = "histogram/racy", .input_file = folder.path / "none.png"}),
              HasSubstr("there is no file"));
}

TEST(Image, FallsIntoBins) {
  const Folder folder;
  const std::string file = folder.write("ramp.png", png(256, 1, 1, ramp(256, 1)));
  const RunSpec r{.kernel = "histogram/shared-atomics", .input_file = file, .set = {{"bins", "16"}}};
  const Problem p = make_problem(find(r.kernel), r);
  ASSERT_EQ(p.n(), 256);
  for (int k = 0; k < 256; ++k) EXPECT_EQ(p.data[size_t(k)], k / 16);
  const Trace t = run(find(r.kernel), p, Device::cpu);
  EXPECT_EQ(t.expected.size(), 16 * sizeof(int));
  RunSpec fewer = r;
  fewer.n = 64;
  EXPECT_EQ(make_problem(find(r.kernel), fewer).n(), 64);
  EXPECT_THAT(refused_image({.kernel = "scan/blelloch", .input_file = file}),
              HasSubstr("which only histograms take"));
  EXPECT_THAT(refused_image({.kernel = "histogram/racy", .n = 0, .input_file = file}),
              HasSubstr("too small"));
}

TEST(Image, ALargeOneIsOfferedSmaller) {
  const std::string large = png(1024, 512, 1, std::vector<uint8_t>(1024 * 512, 3));
  EXPECT_THAT(refused_image(large), HasSubstr("1024 x 512 pixels"));
  EXPECT_THAT(refused_image(large), HasSubstr("--n 16384 scales it to 181 x 90"));
  EXPECT_EQ(refused_image(large, handy_pixels), "");
  // a head that promises more than memory holds is believed, and refused, before anything is read
  std::string liar = png(16, 16, 1, ramp(16, 16));
  liar.replace(16, 8, std::string("\0\x40\0\0\0\x40\0\0", 8));
  EXPECT_THAT(refused_image(liar, 64), HasSubstr("image"));
}

TEST(Image, WhatIsCutOrChangedGivesASentence) {
  const std::string whole_png = png(40, 30, 3, std::vector<uint8_t>(40 * 30 * 3, 77)),
                    whole_jpeg = jpeg(40, 30, ramp(40, 30));
  for (const std::string& whole : {whole_png, whole_jpeg}) {
    ASSERT_EQ(refused_image(whole), "");
    // what follows the end of a picture is no part of it
    for (size_t length = 0; length + 2 < whole.size() - (whole == whole_png ? 4 : 0);
         length += test::all_or_part(1, 5)) {
      const std::string said = refused_image(whole.substr(0, length));
      EXPECT_THAT(said, HasSubstr("it.png is")) << length << " of " << whole.size();
    }
    uint32_t random = 1;
    for (int round = 0; round < test::all_or_part(3000, 600);
         ++round) {  // any bytes: an image or a sentence, never a crash
      std::string bytes = whole;
      for (int k = 0; k < 1 + round % 9; ++k) {
        random = random * 1664525 + 1013904223;
        bytes[(random >> 8) % bytes.size()] = char(random >> 24);
      }
      try {
        const GreyImage image = decode_image(bytes, "it.png", 256);
        EXPECT_EQ(image.levels.size(), size_t(image.width) * size_t(image.height));
        EXPECT_LE(image.levels.size(), 256u);
      } catch (const UsageError& e) { EXPECT_THAT(e.what(), HasSubstr("it.png")); }
    }
  }
}

/// A JPEG without the tables that its pixels are written in.
std::string without_tables(std::string bytes) {
  for (size_t at; (at = bytes.find("\xff\xc4")) != std::string::npos;)
    bytes.erase(at, 2 + 256 * size_t(uint8_t(bytes[at + 2])) + uint8_t(bytes[at + 3]));
  return bytes;
}

TEST(Image, TablesThatAreMissingAreZeroNotWhatTheMemoryHeld) {
  const std::string bare = without_tables(jpeg(40, 30, std::vector<uint8_t>(40 * 30, 77)));
  for (int fill = 0; fill < 256; ++fill) {
    // what lies there when the decoder asks for memory; volatile, for stores before free are dropped else
    volatile char* before = static_cast<char*>(std::malloc(1 << 16));
    for (int k = 0; k < 1 << 16; ++k) before[k] = char(k % 3 ? fill : 0);
    std::free(const_cast<char*>(before));
    EXPECT_EQ(decode_image(bare, "it.jpg").levels, std::vector<uint8_t>(40 * 30, 128)) << fill;
  }
}

TEST(Image, TheExamplesAreRead) {
  const GreyImage dunes = read_image(inputs + "dunes.png"), night = read_image(inputs + "night.png");
  const auto fullest = [](const GreyImage& image) {
    std::vector<int> count(256);
    for (uint8_t level : image.levels) ++count[level];
    return *std::ranges::max_element(count);
  };
  EXPECT_EQ(dunes.levels.size(), 96u * 72);
  EXPECT_EQ(night.levels.size(), 96u * 72);
  EXPECT_GT(fullest(night), 4 * fullest(dunes));
}

}  // namespace
}  // namespace bscope
