#include "app/draw/code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/draw/sheet.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;

TEST(Code, BreaksALongLineAtSpacesAndGoesOnDeeper) {
  EXPECT_THAT(code_rows("  int a = first + second;", 40), ElementsAre("  int a = first + second;"));
  EXPECT_THAT(code_rows("  int a = first + second;", 18), ElementsAre("  int a = first +", "      second;"));
  EXPECT_THAT(code_rows("  call(a);  // what it does", 22),
              ElementsAre("  call(a);", "      // what it does"));
  EXPECT_THAT(code_rows("// a comment of many words", 16), ElementsAre("// a comment of", "// many words"));
}

// A word is broken only where it is longer than a row, and then where code may be.
TEST(Code, BreaksALongWordAtItsOperators) {
  EXPECT_THAT(code_rows("  atomicAdd(&local[v.key[e] * OF_BIN + mine], 1);", 22),
              ElementsAre("  atomicAdd(&local[", "      v.key[e] *", "      OF_BIN + mine],", "      1);"));
  EXPECT_THAT(code_rows("published[tile]->count+=1;", 16), ElementsAre("published[tile]", "    ->count+=1;"));
  EXPECT_THAT(code_rows("aVeryLongNameOfOneVariable", 16), ElementsAre("aVeryLongNameOfO", "    neVariable"));
}

TEST(Code, LosesNoLetter) {
  const std::string line =
      "    sum[right] += sum[left];  // the tree goes up: "
      "左边 is added to the right, level by level";
  const auto letters = [](std::string s) {
    std::erase_if(s, [](char c) { return c == ' ' || c == '/'; });
    return s;
  };
  for (size_t most = 16; most < 100; ++most) {
    std::string all;
    for (const std::string& row : code_rows(line, most)) {
      EXPECT_LE(row.size(), most);
      all += row;
    }
    EXPECT_EQ(letters(all), letters(line)) << most;
  }
}

TEST(Code, KeepsEachLetterInItsColumn) {
  Sheet s;
  const std::string row = "  for (int k = 0; k < n; ++k)  // all";
  draw(s.paper, code(row, {.size = 10, .height = 15, .plain = 1, .comment = 2}), {0, 0, 400, 15});
  const float letter = s.metrics.width(Font::mono, 10, "m");
  std::string bold;
  for (const Shape& shape : s.picture.shapes) {
    EXPECT_FLOAT_EQ(shape.box.x, letter * float(row.find(shape.words))) << shape.words;
    EXPECT_EQ(shape.fill, shape.words.starts_with("//") ? 2u : 1u);
    if (shape.font == Font::mono_bold) bold += shape.words + " ";
  }
  EXPECT_EQ(bold, "for int ");
}

}  // namespace
}  // namespace bscope
