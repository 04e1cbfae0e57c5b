// Pictures as PDF and as pixels: words stay words, Chinese ones too.
#ifdef BARRIERSCOPE_PICTURES
#include "app/export/cairo.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace bscope {
namespace {

struct Drawn {
  Picture picture{200, 60, {}, {}};
  Metrics metrics = cairo_metrics();
  Pen pen{picture, metrics};
};

std::string written(const Picture& p, const std::string& name) {
  const auto file = std::filesystem::path(testing::TempDir()) / name;
  write_figure(p, 0xffffffff, file);
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(file);
  return bytes;
}

/// Pixels of the picture's columns that are not white.
int dark(const Picture& p, int from, int to) {
  const auto rgba = rasterise(p, 0xffffffff);
  int n = 0;
  for (size_t i = 0; i < rgba.size(); i += 4) {
    const int x = int(i / 4) % int(p.width);
    n += x >= from && x < to && rgba[i] < 128;
  }
  return n;
}

TEST(Cairo, HasChinese) { EXPECT_TRUE(draws_chinese()) << "install the Debian package fonts-wqy-microhei"; }

TEST(Cairo, ChineseIsAnEmWideAndDrawnWhereItIsMeasured) {
  Drawn d;
  EXPECT_NEAR(d.pen.width("线程", 20), 40, 1);
  EXPECT_NEAR(d.pen.width("线程 t5", 20), d.pen.width("线程", 20) + d.pen.width(" t5", 20), 0.01f);
  const Box box = d.pen.text({10, 30}, "线程束", 20, 0x000000ff, Font::text_bold);
  EXPECT_EQ(dark(d.picture, 0, int(box.x)), 0);
  EXPECT_EQ(dark(d.picture, int(box.right()) + 1, 200), 0);
  for (int character = 0; character < 3; ++character)
    EXPECT_GT(dark(d.picture, 10 + 20 * character, 30 + 20 * character), 40) << character;
  // three different characters, not three boxes
  EXPECT_NE(dark(d.picture, 10, 30), dark(d.picture, 30, 50));
}

TEST(Cairo, APdfEmbedsBothFontsAndSaysWhatItsGlyphsMean) {
  Drawn d;
  d.pen.text({10, 20}, "屏障 barrier", 14, 0x000000ff);
  d.pen.text({10, 40}, "屏障 barrier", 14, 0x000000ff, Font::mono_bold);
  const std::string pdf = written(d.picture, "chinese.pdf");
  EXPECT_THAT(pdf, testing::HasSubstr("+Inter"));
  EXPECT_THAT(pdf, testing::HasSubstr("+JetBrainsMono"));
  EXPECT_THAT(pdf, testing::HasSubstr("+WenQuanYi"));
  EXPECT_THAT(pdf, testing::HasSubstr("/ToUnicode"));
  EXPECT_THAT(pdf, testing::HasSubstr("/FontFile"));
}

TEST(Cairo, BytesThatAreNoTextDoNotSpoilTheRest) {
  Drawn d;
  d.pen.text({10, 15}, "\xe7\xba bad \xff", 12, 0x000000ff);
  d.pen.text({100, 45}, "good", 12, 0x000000ff);
  EXPECT_GT(dark(d.picture, 100, 140), 20);
}

}  // namespace
}  // namespace bscope
#endif
