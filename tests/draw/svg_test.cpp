// Pictures as SVG: each shape as a shape, each text as a text.
#ifdef BARRIERSCOPE_PICTURES
#include "app/export/svg.hpp"

#include <gmock/gmock.h>

namespace bscope {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct DrawnSvg {
  Picture picture{100, 50, {}, {}};
  Metrics metrics = fixed_metrics();
  Pen pen{picture, metrics};
  std::string svg() const { return bscope::svg(picture, 0xffffffff, metrics); }
};

TEST(Svg, HasItsSizeAndBackground) {
  EXPECT_THAT(DrawnSvg{}.svg(),
              AllOf(HasSubstr("width=\"100\" height=\"50\" viewBox=\"0 0 100 50\""),
                    HasSubstr("<rect x=\"0\" y=\"0\" width=\"100\" height=\"50\" fill=\"#ffffff\"/>")));
}

TEST(Svg, TextIsTextOnItsBaseline) {
  DrawnSvg d;
  d.pen.text({10, 20}, "a < b & \"c\"", 10, 0x11223380, Font::mono_bold);
  // The box is 1.2 em high around y 20; the baseline lies 0.964 em below its top.
  EXPECT_THAT(d.svg(),
              AllOf(HasSubstr(">a &lt; b &amp; \"c\"</text>"), HasSubstr("class=\"n\" x=\"10\" y=\"23.64\""),
                    HasSubstr("fill=\"#112233\" fill-opacity=\"0.5\""), HasSubstr("textLength=\"66\"")));
}

TEST(Svg, ChineseIsTextToo) {
  DrawnSvg d;
  d.pen.text({10, 20}, "线程 t5", 10, 0x112233ff);
  EXPECT_THAT(d.svg(), AllOf(HasSubstr(">线程 t5</text>"), HasSubstr("WenQuanYi Micro Hei"),
                             HasSubstr("textLength=\"36.5\"")));
  EXPECT_THAT(DrawnSvg{}.svg(), Not(HasSubstr("WenQuanYi")));
}

TEST(Svg, BytesThatAreNoTextBecomeACharacterThatSaysSo) {
  DrawnSvg d;
  d.pen.text({10, 20}, "a\xe7\xba!", 10, 0x112233ff);
  EXPECT_THAT(d.svg(), HasSubstr(">a\uFFFD\uFFFD!</text>"));
}

TEST(Svg, WhatCannotBeSeenIsLeftOut) {
  DrawnSvg d;
  d.pen.rect({1, 2, 3, 4}, 0, 0);
  d.pen.line({1, 2}, {3, 4}, 0x12345600);
  d.pen.text({1, 2}, "", 10, 0xff);
  EXPECT_EQ(d.svg(), DrawnSvg{}.svg());
}

TEST(Svg, ShapesAreShapes) {
  DrawnSvg d;
  d.pen.rect({1, 2, 30, 4}, 0xff0000ff, 0x00ff00ff, 2, 10);
  EXPECT_THAT(d.svg(), HasSubstr("<rect x=\"1\" y=\"2\" width=\"30\" height=\"4\" rx=\"2\" fill=\"#ff0000\" "
                                 "stroke=\"#00ff00\" stroke-width=\"2\"/>"));
  d.pen.line({1, 2}, {3.14159f, 4}, 0x0000ffff, 1, 6);
  EXPECT_THAT(d.svg(),
              HasSubstr("<path d=\"M1 2L3.14 4\" fill=\"none\" stroke=\"#0000ff\" stroke-dasharray=\"6\"/>"));
  d.pen.curve({0, 0}, {1, 0}, {2, 1}, {2, 2}, 0x0000ffff);
  EXPECT_THAT(d.svg(), HasSubstr("d=\"M0 0C1 0 2 1 2 2\""));
  d.pen.polygon({{0, 0}, {4, 0}, {4, 4}}, 0x010203ff);
  EXPECT_THAT(d.svg(), HasSubstr("<path d=\"M0 0L4 0L4 4Z\" fill=\"#010203\"/>"));
  d.pen.disc({5, 6}, 3, 0x010203ff);
  EXPECT_THAT(d.svg(), HasSubstr("<circle cx=\"5\" cy=\"6\" r=\"3\" fill=\"#010203\"/>"));
  d.pen.disc({5, 6}, 3, 0x010203ff, 0xff0000ff, 2);
  EXPECT_THAT(d.svg(), HasSubstr("r=\"2\" fill=\"#010203\" stroke=\"#ff0000\" stroke-width=\"2\"/>"));
}

TEST(Svg, HatchesStayInTheirBox) {
  DrawnSvg d;
  d.pen.hatch({10, 10, 20, 8}, 0x000000ff, 4);
  const std::string s = d.svg();
  const size_t at = s.find("<path d=\"") + 9;
  ASSERT_NE(at, std::string::npos + 9);
  std::string numbers = s.substr(at, s.find('"', at) - at);
  for (char& c : numbers)
    if (c == 'M' || c == 'L') c = ' ';
  std::istringstream in(numbers);
  int points = 0;
  for (float x = 0, y = 0; in >> x >> y; ++points) {
    EXPECT_GE(x, 10);
    EXPECT_LE(x, 30);
    EXPECT_GE(y, 10);
    EXPECT_LE(y, 18);
  }
  EXPECT_GT(points, 6);
}

TEST(Svg, StripsJoinNeighboursOfOneColour) {
  DrawnSvg d;
  d.pen.strip({0, 0, 40, 10}, {0xff0000ff, 0xff0000ff, 0x00ff00ff, 0});
  EXPECT_THAT(d.svg(),
              AllOf(HasSubstr("<rect x=\"0\" y=\"0\" width=\"20\" height=\"10\" fill=\"#ff0000\"/>"),
                    HasSubstr("<rect x=\"20\" y=\"0\" width=\"10\" height=\"10\" fill=\"#00ff00\"/>"),
                    Not(HasSubstr("x=\"30\""))));
}

}  // namespace
}  // namespace bscope
#endif
