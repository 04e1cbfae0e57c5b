#include "app/draw/phrase.hpp"

#include <gtest/gtest.h>

#include <string>

namespace bscope {
namespace {

std::string words_of(const Text& text) {
  std::string out;
  for (const Words& w : text) out += "[" + w.words + "]";
  return out;
}

TEST(Phrase, PutsPiecesWhereTheSentenceSaysIt) {
  const Text a{{"A", 1, Font::mono}}, b{{"B", 2}, {"b", 3}};
  EXPECT_EQ(words_of(phrase("{} and {}.", 7, {a, b})), "[A][ and ][B][b][.]");
  EXPECT_EQ(words_of(phrase("{1}, then {0}", 7, {a, b})), "[B][b][, then ][A]") << "another language's order";
  EXPECT_EQ(words_of(phrase("{0}{0}", 7, {a})), "[A][A]");
  EXPECT_EQ(words_of(phrase("plain", 7, {})), "[plain]");
  EXPECT_EQ(words_of(phrase("{2} is nobody's", 7, {a})), "[ is nobody's]");
}

TEST(Phrase, KeepsEachPiecesStyle) {
  const Text out = phrase("x {} y", 7, {{{"A", 1, Font::mono}}});
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].colour, 7u);
  EXPECT_EQ(out[1].colour, 1u);
  EXPECT_EQ(out[1].font, Font::mono);
  EXPECT_EQ(out[2].font, Font::text);
}

}  // namespace
}  // namespace bscope
