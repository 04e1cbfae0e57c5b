#include "app/draw/cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/draw/dark_theme.hpp"
#include "tests/draw/sheet.hpp"

namespace bscope {
namespace {

Cells rows_of(int rows, const CellColumns& columns) {
  Cells c{.columns = columns};
  for (int k = 0; k < rows * columns.count; ++k)
    c.cells.push_back({.fill = 0xff, .hit = named(std::to_string(k))});
  return c;
}

TEST(Cells, StandBelowEachOtherAndLinksEndInTheirMiddle) {
  const CellColumns columns{.count = 8, .names = {"a long name", "x"}};
  Cells above = rows_of(1, columns), below = rows_of(1, columns);
  for (Cells::GridCell& c : below.cells) c.hit.name = "below " + c.hit.name;
  Sheet s;
  draw(s.paper,
       column(3, {cells(above), links({{2.5f, 6.5f, 0xff}}, columns, columns).grows(), cells(below)}),
       {10, 20, 400, 300});
  for (int k = 0; k < 8; ++k) {
    EXPECT_FLOAT_EQ(s.at(std::to_string(k)).x, s.at("below " + std::to_string(k)).x);
    EXPECT_GE(s.at(std::to_string(k)).x, 10 + s.pen.width("a long name", t.label()));
  }
  const auto curve = std::ranges::find(s.picture.shapes, Shape::curve, &Shape::type);
  ASSERT_NE(curve, s.picture.shapes.end());
  EXPECT_FLOAT_EQ(curve->points[0].x, s.at("2").centre().x);
  EXPECT_FLOAT_EQ(curve->points[3].x, s.at("below 6").centre().x);
  EXPECT_FLOAT_EQ(s.at("below 0").bottom(), 320) << "the links take the room that is left";
}

TEST(Cells, ColumnsStandApartWhereTheyAreToldToAndFewInTheMiddle) {
  CellColumns columns{.count = 4, .widest = 20, .before = {0, 0, 30, 0}, .centred = true};
  Sheet s;
  draw(s.paper, cells(rows_of(1, columns)), {0, 0, 500, 20});
  EXPECT_FLOAT_EQ(s.at("1").x - s.at("0").x, 20);
  EXPECT_FLOAT_EQ(s.at("2").x - s.at("1").x, 50);
  EXPECT_FLOAT_EQ(s.at("0").x, 500 - s.at("3").right());
}

TEST(Cells, RowsAreSqueezedBeforeOthersGiveWay) {
  const CellColumns columns{.count = 32};
  const LayoutNode all = cells(rows_of(30, columns));
  const LayoutNode extra = drawing(0, 40, [](const DrawContext& p, Box b) {
    HitRegion hit = named("extra");
    hit.box = b;
    p.pen.hit(hit);
  });
  for (const auto& [room, there] : {std::pair{1000.0f, true}, {200.0f, true}, {130.0f, false}}) {
    Sheet s;
    draw(s.paper, column(0, {all, LayoutNode(extra).gives(1)}), {0, 0, 640, room});
    EXPECT_EQ(s.at("extra").h > 0, there) << room;
    EXPECT_LE(s.at("959").bottom(), room + 0.01f);
    EXPECT_GT(s.at("959").h, 3.9f);
  }
}

TEST(Cells, TheNameAboveTheRuleStaysAboveIt) {
  for (const float room : {400.0f, 200.0f, 130.0f}) {
    Cells c = rows_of(32, {.count = 32, .names = {"ideal 1"}});
    c.rule = 1;
    c.rows = {{{"ideal 1"}, 0, Cells::RowName::main}, {{"32"}, 31, Cells::RowName::number}};
    for (int row = 1; row < 31; ++row)
      c.rows.push_back({{std::to_string(row + 1)}, row, Cells::RowName::number});
    Sheet s;
    draw(s.paper, cells(c), {0, 0, 700, room});
    const float rule = s.at("0").bottom();
    std::vector<float> middles;
    for (const Shape& shape : s.picture.shapes)
      if (shape.type == Shape::text) {
        const float middle = shape.points[0].y + shape.size * text_height / 2;
        if (shape.words == "ideal 1")
          EXPECT_LE(middle + shape.size * 0.4f, rule);
        else
          EXPECT_GE(middle, rule);
        EXPECT_GE(middle, shape.size * 0.4f);
        for (const float other : middles) EXPECT_GE(std::abs(other - middle), shape.size);
        middles.push_back(middle);
      }
    EXPECT_TRUE(s.says("ideal 1") && s.says("32"));
  }
}

TEST(Cells, ANoteCoversNoCellAndNoOtherNote) {
  Cells c{.columns = {.count = 32}, .tallest = 20};
  c.cells.resize(size_t(32 * 4));
  c.cells[5].fill = c.cells[32 + 5].fill = c.cells[32 + 6].fill = c.cells[64 + 31].fill = 0xff;
  c.notes = {{0, 5, "beside it", 0xff}, {1, 5, "in the way", 0xff}, {2, 31, "left of it", 0xff}};
  Sheet s;
  draw(s.paper, cells(c), {0, 0, 800, 80});
  EXPECT_TRUE(s.says("beside it"));
  EXPECT_FALSE(s.says("in the way"));
  EXPECT_TRUE(s.says("left of it"));
}

TEST(Cells, NumbersStandAboveWhereCellsAreTooNarrow) {
  for (const float width : {1200.0f, 300.0f}) {
    Cells c = rows_of(1, {.count = 32});
    for (size_t k = 0; k < 32; ++k) c.cells[k].words = std::to_string(k);
    c.heads = true;
    Sheet s;
    const LayoutNode form = cells(c);
    const float high = form.height_at(s.paper, width);
    draw(s.paper, form, {0, 0, width, high});
    const bool above = width < 1000;
    EXPECT_EQ(s.says("5"), !above);
    EXPECT_TRUE(s.says("28"));
    EXPECT_EQ(s.at("0").y > t.small(), above);
    EXPECT_LE(s.at("0").bottom(), high + 0.01f);
  }
}

TEST(Strip, FillsItsRoomWithItsColours) {
  Sheet s;
  draw(s.paper, row(4, {space(30), strip({1, 2, 3}, 0xff).grows()}), {10, 20, 130, 9});
  const auto found = std::ranges::find(s.picture.shapes, Shape::strip, &Shape::type);
  ASSERT_NE(found, s.picture.shapes.end());
  EXPECT_EQ(found->colours, (std::vector<Colour>{1, 2, 3}));
  EXPECT_FLOAT_EQ(found->box.x, 44);
  EXPECT_FLOAT_EQ(found->box.w, 96);
  EXPECT_FLOAT_EQ(found->box.h, 9);
  EXPECT_EQ(s.picture.shapes.back().stroke, 0xffu);
}

}  // namespace
}  // namespace bscope
