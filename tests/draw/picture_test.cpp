#include "app/draw/picture.hpp"

#include <gtest/gtest.h>

#include "app/draw/letters.hpp"

namespace bscope {
namespace {

struct Drawn {
  Picture picture;
  Metrics metrics = fixed_metrics();
  Pen pen{picture, metrics};
};

TEST(Pen, TextSitsOnItsPoint) {
  Drawn d;
  const Box left = d.pen.text({100, 50}, "abcd", 10, 1, Font::mono);
  const Box centre = d.pen.text({100, 50}, "abcd", 10, 1, Font::mono, Align::centre);
  const Box right = d.pen.text({100, 50}, "abcd", 10, 1, Font::mono, Align::right);
  EXPECT_FLOAT_EQ(left.x, 100);
  EXPECT_FLOAT_EQ(centre.x, 88);
  EXPECT_FLOAT_EQ(right.x, 76);
  for (const Box& b : {left, centre, right}) {
    EXPECT_FLOAT_EQ(b.w, 24);
    EXPECT_FLOAT_EQ(b.centre().y, 50);
  }
  EXPECT_EQ(d.picture.shapes.size(), 3u);
}

TEST(Pen, FittedIsTheLongestThatFits) {
  Drawn d;
  EXPECT_EQ(d.pen.fitted("abcdefghij", 60.5f, 10, Font::mono), "abcdefghij");
  EXPECT_EQ(d.pen.fitted("abcdefghij", 59.5f, 10, Font::mono), "abcdef...");
  EXPECT_EQ(d.pen.fitted("abcdefghij", 17, 10, Font::mono), "");
  // two bytes a character: never half of one
  EXPECT_EQ(d.pen.fitted("\u00e9\u00e9\u00e9\u00e9\u00e9", 29, 10, Font::mono), "\u00e9...");
}

TEST(Pen, FittedNeverTearsAChineseCharacter) {
  Drawn d;
  const std::string words = "线程束 warp 的通道";
  for (float room = 0; room < 130; room += 0.7f) {
    const std::string cut = d.pen.fitted(words, room, 10);
    EXPECT_EQ(clean_utf8(cut), cut) << room;
    EXPECT_LE(d.pen.width(cut, 10), room);
  }
  EXPECT_EQ(d.pen.fitted(words, 47, 10), "线程束...");
}

TEST(Letters, AreReadOneByOne) {
  const std::string s = "a\u00e9\u7ebf\U0001f600";
  std::vector<char32_t> codes;
  for (size_t at = 0; at < s.size();) {
    const Letter l = letter_at(s, at);
    codes.push_back(l.code);
    at = l.end;
  }
  EXPECT_EQ(codes, (std::vector<char32_t>{'a', 0xe9, 0x7ebf, 0x1f600}));
  EXPECT_EQ(clean_utf8(s), s);
  // torn, too long a spelling, half of a pair, beyond the last
  for (const char* bad : {"\xe7\xba", "\xba", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"}) {
    EXPECT_EQ(letter_at(bad, 0).code, 0xfffdu) << bad;
    EXPECT_EQ(clean_utf8(clean_utf8(bad)), clean_utf8(bad));
    EXPECT_NE(clean_utf8(bad), bad);
  }
  for (size_t at = 0; at <= s.size() + 2; ++at) {
    const std::string head = s.substr(0, cut_before(s, at));
    EXPECT_EQ(clean_utf8(head), head) << at;
  }
}

TEST(Letters, LinesBreakBesideChineseButNotBeforeAComma) {
  const auto pieces = [](const std::string& s) {
    std::vector<std::string> all;
    for (size_t at = 0; at < s.size();) {
      const size_t end = word_end(s, at);
      all.push_back(s.substr(at, end - at));
      at = end;
      while (at < s.size() && s[at] == ' ') ++at;
    }
    return all;
  };
  EXPECT_EQ(pieces("lane 3 of sum[15]."), (std::vector<std::string>{"lane", "3", "of", "sum[15]."}));
  EXPECT_EQ(pieces("线程t5，读取（两次）。"),
            (std::vector<std::string>{"线", "程", "t5，", "读", "取", "（两", "次）。"}));
}

TEST(Pen, ArrowHeadEndsAtItsTip) {
  Drawn d;
  d.pen.arrow_head({10, 20}, {0, 3}, 8, 1);
  ASSERT_EQ(d.picture.shapes.size(), 1u);
  const auto& p = d.picture.shapes[0].points;
  EXPECT_FLOAT_EQ(p[0].y, 20);
  EXPECT_FLOAT_EQ(p[1].y, 12);
  EXPECT_FLOAT_EQ(p[2].y, 12);
  d.pen.arrow_head({10, 20}, {0, 0}, 8, 1);  // no direction, no head
  EXPECT_EQ(d.picture.shapes.size(), 1u);
}

}  // namespace
}  // namespace bscope
