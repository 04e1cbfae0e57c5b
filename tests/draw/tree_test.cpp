#include "app/draw/tree.hpp"

#include <gtest/gtest.h>

#include "tests/draw/sheet.hpp"

namespace bscope {
namespace {

/// Ten rows, each below the one before; a row is ten pixels high.
Tree ten_rows() {
  Tree tree{.size = 10};
  for (int k = 0; k < 10; ++k)
    tree.rows.push_back({.depth = k,
                         .words = {{"value " + std::to_string(k), 1}, {"more", 2}},
                         .opens = k % 2 == 0,
                         .fold = named("fold " + std::to_string(k)),
                         .hit = named("row " + std::to_string(k))});
  tree.more = [](int first, int end) {
    return std::vector{std::to_string(first) + " to " + std::to_string(end)};
  };
  return tree;
}

TEST(Tree, ShowsAllWhereAllHaveRoom) {
  Sheet s;
  draw(s.paper, tree(ten_rows()), {0, 0, 400, 100});
  for (int k = 0; k < 10; ++k) {
    EXPECT_FLOAT_EQ(s.at("row " + std::to_string(k)).y, float(k) * 10);
    EXPECT_EQ(s.has("fold " + std::to_string(k)), k % 2 == 0) << "only what opens has a mark to press";
    EXPECT_FLOAT_EQ(s.at("row " + std::to_string(k)).x, s.at("row 0").x + 11.5f * float(k));
    EXPECT_TRUE(s.says("value " + std::to_string(k)));
  }
  EXPECT_FALSE(s.says("0 to 10"));
}

TEST(Tree, SaysWhichRowsItShowsAndKeepsTheFocusAmongThem) {
  for (int focus = -1; focus < 12; ++focus)
    for (int first = -3; first < 14; ++first) {
      Sheet s;
      Tree all = ten_rows();
      all.first = first, all.focus = focus;
      draw(s.paper, tree(std::move(all)), {0, 0, 400, 45});
      int shown = 0, top = 10;
      for (int k = 9; k >= 0; --k)
        if (s.has("row " + std::to_string(k))) ++shown, top = k;
      EXPECT_EQ(shown, 3);
      EXPECT_TRUE(focus < 0 || s.has("row " + std::to_string(std::min(focus, 9)))) << focus << " " << first;
      EXPECT_TRUE(s.says(std::to_string(top) + " to " + std::to_string(top + 3)));
      for (const Shape& shape : s.picture.shapes) EXPECT_LE(shape.box.bottom(), 45);
    }
}

TEST(Tree, LeavesOutWholePiecesWhereARowIsTooLong) {
  Sheet s;
  Tree all{.size = 10};
  all.rows = {{.words = {{"value", 1, Font::mono}, {"line 7", 2, Font::mono}, {"step 3", 2, Font::mono}}}};
  draw(s.paper, tree(all), {0, 0, 104, 20});
  EXPECT_TRUE(s.says("value") && s.says("line 7"));
  EXPECT_FALSE(s.says("step 3"));
}

}  // namespace
}  // namespace bscope
