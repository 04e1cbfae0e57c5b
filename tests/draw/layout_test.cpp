#include "app/draw/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/draw/chart.hpp"
#include "app/draw/controls.hpp"
#include "tests/draw/dark_theme.hpp"
#include "tests/draw/sheet.hpp"

namespace bscope {
namespace {

/// A block of that size which says where it is.
LayoutNode block(const std::string& name, float w, float h, float least = -1) {
  LayoutNode f = drawing(w, h, [name](const DrawContext& p, Box b) { p.pen.hit(named(name, b)); });
  if (least >= 0) f.least = [least](const DrawContext&) { return least; };
  return f;
}

TEST(Layout, AColumnGivesEachItsHeightAndTheRestToWhatGrows) {
  Sheet s;
  draw(s.paper, column(5, {block("a", 10, 20), block("b", 10, 30).grows(), LayoutNode{}, block("c", 10, 10)}),
       {100, 50, 80, 200});
  EXPECT_FLOAT_EQ(s.at("a").y, 50);
  EXPECT_FLOAT_EQ(s.at("b").y, 75);
  EXPECT_FLOAT_EQ(s.at("b").h, 160);
  EXPECT_FLOAT_EQ(s.at("c").bottom(), 250);
  EXPECT_FLOAT_EQ(s.at("a").w, 80);
}

TEST(Layout, WhatGivesWayFirstGoesFirst) {
  for (const auto& [room, names] : {std::pair<float, std::vector<std::string>>{100, {"a", "b", "c", "d"}},
                                    {85, {"a", "b", "d"}},
                                    {60, {"a", "d"}},
                                    {30, {"a"}}}) {
    Sheet s;
    draw(s.paper,
         column(0, {block("a", 1, 25), block("b", 1, 25).gives(1), block("c", 1, 25).gives(2),
                    block("d", 1, 25)}),
         {0, 0, 50, room});
    std::vector<std::string> found;
    for (const HitRegion& h : s.picture.hits) found.push_back(h.name);
    EXPECT_EQ(found, names) << room;
    for (const HitRegion& h : s.picture.hits) EXPECT_LE(h.box.bottom(), room + 0.5f);
  }
}

TEST(Layout, IsSaidShorterBeforeItIsLeftOut) {
  const auto form = [] {
    return column(0, {block("a", 1, 40), block("long", 1, 50).gives(1).or_else(block("short", 1, 20))});
  };
  for (const auto& [room, name] : {std::pair{90.0f, "long"}, {70.0f, "short"}}) {
    Sheet s;
    draw(s.paper, form(), {0, 0, 10, room});
    EXPECT_TRUE(s.has(name));
    EXPECT_EQ(s.picture.hits.size(), 2u);
  }
  Sheet s;
  draw(s.paper, form(), {0, 0, 10, 50});
  EXPECT_EQ(s.picture.hits.size(), 1u);
}

TEST(Layout, ARowNarrowsBeforeItLeavesOut) {
  const auto form = [] {
    return row(10,
               {block("a", 100, 10), block("b", 100, 20, 40).gives(1), space(0).grows(), block("c", 50, 10)});
  };
  Sheet wide, narrow, tight;
  draw(wide.paper, form(), {0, 0, 400, 40});
  EXPECT_FLOAT_EQ(wide.at("c").right(), 400);
  EXPECT_FLOAT_EQ(wide.at("a").centre().y, 20) << "in the middle of the row";
  draw(narrow.paper, form(), {0, 0, 250, 40});
  EXPECT_FLOAT_EQ(narrow.at("b").w, 70);
  EXPECT_FLOAT_EQ(narrow.at("c").right(), 250);
  draw(tight.paper, form(), {0, 0, 200, 40});
  EXPECT_FALSE(tight.has("b"));
  EXPECT_FLOAT_EQ(tight.at("c").right(), 200);
}

TEST(Layout, TheHighestThatFitsIsDrawn) {
  const auto form = [] {
    return highest_that_fits({block("large", 1, 40), block("medium", 1, 20), block("small", 1, 10)});
  };
  for (const auto& [room, name] :
       {std::pair{90.0f, "large"}, {40.0f, "large"}, {39.0f, "medium"}, {12.0f, "small"}, {5.0f, "small"}}) {
    Sheet s;
    draw(s.paper, form(), {0, 0, 10, room});
    ASSERT_EQ(s.picture.hits.size(), 1u);
    EXPECT_TRUE(s.has(name)) << room;
  }
  // in a column it goes smaller before others give way
  Sheet s;
  draw(s.paper, column(0, {form(), block("below", 1, 30)}), {0, 0, 10, 50});
  EXPECT_TRUE(s.has("medium") && s.has("below"));
}

TEST(Layout, ALineSaysWhatFits) {
  const LineLook look{.size = 10, .colour = 1, .font = Font::mono, .cut = true};
  for (const auto& [room, words] : {std::pair{60.0f, "a long one"}, {40.0f, "short"}, {24.5f, "s..."}}) {
    Sheet s;
    draw(s.paper, row(0, {line({"a long one", "short"}, look)}), {0, 0, room, 20});
    ASSERT_EQ(s.picture.shapes.size(), 1u);
    EXPECT_EQ(s.picture.shapes[0].words, words);
  }
}

TEST(Layout, ATextTakesTheHeightOfItsLines) {
  Sheet s;
  draw(s.paper, column(0, {text({{"one two three", 1, Font::mono}}, {.size = 10}), block("below", 1, 5)}),
       {0, 0, 42, 100});
  EXPECT_FLOAT_EQ(s.at("below").y, 27);
}

TEST(Layout, ATablesColumnsAreAsWideAsTheirWidestCell) {
  Sheet s;
  Table c{.gap = 10, .heads = {LayoutNode{}, space(0).grows(), LayoutNode{}}};
  c.rows = {{block("a0", 30, 10), block("b0", 5, 10), block("c0", 20, 10)},
            {block("a1", 50, 12), block("b1", 5, 10), block("c1", 25, 10)}};
  c.hits = {named("row 0"), named("row 1")};
  draw(s.paper, table(c), {0, 0, 300, 100});
  EXPECT_FLOAT_EQ(s.at("a0").w, 50);
  EXPECT_FLOAT_EQ(s.at("b0").x, 60);
  EXPECT_FLOAT_EQ(s.at("b1").w, 300 - 50 - 25 - 20);
  EXPECT_FLOAT_EQ(s.at("c1").right(), 300);
  EXPECT_GE(s.at("a1").y, 10);
  EXPECT_TRUE(s.has("row 0") && s.has("row 1"));
}

TEST(Layout, ATableKeepsTheChosenRow) {
  for (const bool from_end : {false, true})
    for (int chosen = -1; chosen < 9; ++chosen) {
      Sheet s;
      Table c{.chosen = chosen, .from_end = from_end};
      for (int k = 0; k < 9; ++k) c.rows.push_back({block(std::to_string(k), 10, 20)});
      draw(s.paper, table(c), {0, 0, 50, 70});
      EXPECT_EQ(s.picture.hits.size(), 3u);
      EXPECT_TRUE(chosen < 0 || s.has(std::to_string(chosen))) << chosen;
      EXPECT_TRUE(chosen >= 0 || s.has(from_end ? "8" : "0"));
      for (const HitRegion& h : s.picture.hits) EXPECT_LE(h.box.bottom(), 70.5f);
    }
}

TEST(Layout, WhatGrowsTakesLessBeforeItIsLeftOut) {
  Sheet s;
  Table c;
  for (int k = 0; k < 9; ++k) c.rows.push_back({block(std::to_string(k), 10, 20)});
  c.more = [](int from, int to) { return block("more " + std::to_string(to - from), 10, 10); };
  draw(s.paper, column(0, {block("head", 10, 15), table(c).grows()}), {0, 0, 50, 90});
  EXPECT_TRUE(s.has("head") && s.has("0") && s.has("2") && s.has("more 3"));
  EXPECT_FALSE(s.has("3"));
}

TEST(Layout, TheWidestThatFitsIsTaken) {
  for (const auto& [room, name] : {std::pair{100.0f, "wide"}, {99.0f, "narrow"}, {5.0f, "narrow"}}) {
    Sheet s;
    draw(s.paper, widest_that_fits({block("wide", 100, 5), block("narrow", 10, 5)}), {0, 0, room, 10});
    EXPECT_TRUE(s.has(name));
    EXPECT_EQ(s.picture.hits.size(), 1u);
  }
}

TEST(Controls, APrintedFigureHasNothingToPress) {
  for (const bool printed : {false, true}) {
    Sheet s;
    Theme paper = t;
    paper.printed = printed;
    draw({s.pen, paper},
         column(4, {button({"open", "Open", ""}), choices({{"x", "X", "", true}, {"y", "Y", ""}}),
                    slider({.name = "n", .label = "N", .value = "7", .now = 7}),
                    pressed(space(10), named("row")), cross(10, {"forget", "", ""})}),
         {0, 0, 200, 300});
    EXPECT_EQ(s.picture.hits.size(), printed ? 0u : 6u);
    int words = 0;
    for (const Shape& shape : s.picture.shapes) words += shape.type == Shape::text;
    EXPECT_EQ(words, printed ? 3 : 5) << "what is chosen, and the slider's label and value";
  }
}

TEST(Controls, AMainButtonsWordsCanBeRead) {
  for (const ThemeName name : {ThemeName::dark, ThemeName::light, ThemeName::projector}) {
    Sheet s;
    const Theme look = theme(name, 900);
    draw({s.pen, look}, button({"go", "Measure", ""}, look.thread), {0, 0, 200, 40});
    EXPECT_GE(contrast(s.picture.shapes[1].fill, look.thread), 4.5f);
  }
}

TEST(Layout, WhatCanDoWithLessIsSqueezedBeforeOthersGiveWay) {
  const auto low = [](LayoutNode f, float least) {
    f.low = [least](const DrawContext&, float) { return least; };
    return f;
  };
  for (const auto& [room, height, others] :
       {std::tuple{100.0f, 50.0f, 1}, {80.0f, 30.0f, 1}, {60.0f, 10.0f, 1}, {40.0f, 20.0f, 0}}) {
    Sheet s;
    draw(s.paper, column(0, {block("a", 1, 20), low(block("b", 1, 50), 10), block("c", 1, 30).gives(1)}),
         {0, 0, 50, room});
    EXPECT_FLOAT_EQ(s.at("b").h, height) << room;
    EXPECT_EQ(s.has("c"), others == 1) << room;
  }
}

TEST(Layout, ATableThatSqueezesLeavesRowsOutBeforeOthersGiveWay) {
  Table all{.squeezes = true};
  for (int k = 0; k < 9; ++k) all.rows.push_back({block(std::to_string(k), 10, 10)});
  all.chosen = 7;
  Sheet s;
  draw(s.paper, column(0, {table(all), block("why", 1, 50).gives(1)}), {0, 0, 50, 85});
  EXPECT_TRUE(s.has("why") && s.has("7"));
  EXPECT_FALSE(s.has("0"));
}

TEST(Layout, FloorsTakeTheirSharesOfTheHeight) {
  const Picture p =
      picture_of(floors(10, {{3, block("a", 1, 1)}, {1, block("b", 1, 1)}}), t, fixed_metrics(), 90, 210);
  ASSERT_EQ(p.hits.size(), 2u);
  EXPECT_FLOAT_EQ(p.hits[0].box.h, 150);
  EXPECT_FLOAT_EQ(p.hits[1].box.y, 160);
  EXPECT_FLOAT_EQ(p.hits[1].box.h, 50);
  EXPECT_FLOAT_EQ(p.width, 90);
}

}  // namespace
}  // namespace bscope
