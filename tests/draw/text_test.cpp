#include "app/draw/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/draw/letters.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;

// mono, 10 px: 6 a letter, and 6 a space
LaidText lines(const Text& text, float width, TextLook look = {}) {
  look.size = 10;
  return lay_out(fixed_metrics(), text, width, look);
}
Text mono(const std::string& words) { return {{words, 1, Font::mono}}; }
/// The words of each line, pieces joined; the space between two styles is room, no letter.
std::vector<std::string> said(const LaidText& t) {
  std::vector<std::string> all(t.lines.size());
  for (const auto& p : t.pieces) all[size_t(p.line)] += p.what.words;
  return all;
}

TEST(Text, BreaksBetweenWords) {
  EXPECT_THAT(said(lines(mono("one two three"), 42)), ElementsAre("one two", "three"));
  EXPECT_THAT(said(lines(mono("one two three"), 41)), ElementsAre("one", "two", "three"));
  EXPECT_THAT(said(lines(mono("one\n\ntwo"), 100)), ElementsAre("one", "", "two"));
  EXPECT_THAT(said(lines(mono("  a  b "), 100)), ElementsAre("a  b")) << "only a line's ends lose spaces";
  EXPECT_TRUE(lines({}, 100).lines.empty());
  EXPECT_EQ(lines({}, 100).height, 0);
}

TEST(Text, PiecesWithoutASpaceAreOneWord) {
  const Text text{{"of ", 1, Font::mono}, {"sum[15]", 2, Font::mono}, {", now", 1, Font::mono}};
  EXPECT_THAT(said(lines(text, 66)), ElementsAre("ofsum[15],", "now"));
  EXPECT_THAT(said(lines(text, 65)), ElementsAre("of", "sum[15],", "now"))
      << "the comma does not leave its word";
  const LaidText one = lines(text, 1000);
  ASSERT_EQ(one.pieces.size(), 3u);
  EXPECT_FLOAT_EQ(one.pieces[1].box.x, 12 + 5.5f) << "between two styles: the text's own space";
  EXPECT_FLOAT_EQ(one.pieces[2].box.x, one.pieces[1].box.right());
  EXPECT_FLOAT_EQ(one.width, 14 * 6 + 5.5f);
}

TEST(Text, ChineseBreaksBetweenItsCharacters) {
  const Text text{{"线程束的通道，共有 warp 个", 1}};
  for (float width = 25; width < 140; width += 3) {
    const LaidText laid = lines(text, width);
    std::string all;
    for (const std::string& line : said(laid)) {
      EXPECT_EQ(clean_utf8(line), line) << width;
      EXPECT_FALSE(line.starts_with("，")) << "a comma begins no line";
      all += line;
    }
    for (const Box& line : laid.lines) EXPECT_LE(line.w, width);
    std::erase(all, ' ');
    EXPECT_EQ(all, "线程束的通道，共有warp个") << width;
  }
}

// Whatever the room, nothing is wider than it, and what is not whole says so.
TEST(Text, NoLineIsWiderThanItsRoom) {
  const Text text{{"Thread 3 of block 2 ", 1},
                  {"writes", 1, Font::text_bold},
                  {" incomprehensible[12], 1.", 1, Font::mono}};
  for (const auto longs : {TextLook::cut, TextLook::broken})
    for (int most = 0; most < 4; ++most)
      for (float width = 20; width < 300; width += 7) {
        TextLook look{.most_lines = most};
        look.long_words = longs;
        const LaidText laid = lines(text, width, look);
        EXPECT_TRUE(most == 0 || int(laid.lines.size()) <= most);
        for (const Box& line : laid.lines) EXPECT_LE(line.w, width) << most;
        std::string all;
        for (const std::string& line : said(laid)) all += line;
        std::erase(all, ' ');
        EXPECT_EQ(laid.whole, all == "Thread3ofblock2writesincomprehensible[12],1.") << width << " " << all;
      }
}

TEST(Text, WhatDoesNotFitIsCutOrBroken) {
  EXPECT_THAT(said(lines(mono("abcdefghij"), 36)), ElementsAre("abc..."));
  TextLook look;
  look.long_words = TextLook::broken;
  EXPECT_THAT(said(lines(mono("abcdefghij"), 36, look)), ElementsAre("abcdef", "ghij"));
  look.long_words = TextLook::whole;
  EXPECT_FALSE(lines(mono("abcdefghij"), 36, look).whole);
  EXPECT_THAT(said(lines(mono("one two three"), 42, {.most_lines = 1})), ElementsAre("one ..."));
}

TEST(Text, LinesSitWhereTheyAreAligned) {
  EXPECT_FLOAT_EQ(lines(mono("ab"), 100, {.align = Align::centre}).lines[0].x, 44);
  EXPECT_FLOAT_EQ(lines(mono("ab"), 100, {.align = Align::right}).lines[0].x, 88);
}

TEST(Text, ALinkOverTwoLinesIsTwoRegions) {
  Picture p;
  const Metrics m = fixed_metrics();
  Pen pen(p, m);
  Words link{"two words", 1, Font::mono};
  link.hit.name = "link";
  link.underline = 2;
  draw(pen, lines({{"a ", 1, Font::mono}, link}, 40), {10, 20});
  ASSERT_EQ(p.hits.size(), 2u);
  EXPECT_EQ(p.hits[0].name, "link");
  EXPECT_EQ(p.hits[1].name, "link~1");
  EXPECT_FLOAT_EQ(p.hits[0].box.x, 10 + 6 + 5.5f);
  EXPECT_GT(p.hits[1].box.y, p.hits[0].box.y);
}

TEST(Text, IsSaidAsLongAsFits) {
  Picture p;
  const Metrics m = fixed_metrics();
  const Pen pen(p, m);
  const std::vector<std::string> ways{"a long one", "short"};
  EXPECT_EQ(spelled(pen, ways, 60, 10, Font::mono), "a long one");
  EXPECT_EQ(spelled(pen, ways, 59, 10, Font::mono), "short");
  EXPECT_EQ(spelled(pen, ways, 29, 10, Font::mono), "");
  EXPECT_EQ(spelled(pen, ways, 29, 10, Font::mono, true), "s...");
}

}  // namespace
}  // namespace bscope
