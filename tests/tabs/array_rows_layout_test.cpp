// Where the cells of the array view's rows stand and which words stand below them, without a picture.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/captions.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/tabs/watch/array/occupied.hpp"
#include "app/tabs/watch/array/rows_layout.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

using Clauses = std::vector<std::string>;

std::vector<int> first_cells(int count) {
  std::vector<int> out(size_t(count), 0);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

TEST(ArrayCellRow, NeighboursStandOnePitchApart) {
  const CellRow row = cell_row(dark_theme(), first_cells(4), 100, 50, true);
  EXPECT_FLOAT_EQ(row.x_of(0), 125);
  EXPECT_FLOAT_EQ(row.x_of(3), 275);
  EXPECT_FLOAT_EQ(row.right(), 300);
  EXPECT_TRUE(row.has(3));
  EXPECT_FALSE(row.has(4));
}

TEST(ArrayCellRow, WhereCellsJumpThereIsMoreRoomAndTheRowStaysAsWide) {
  const CellRow row = cell_row(dark_theme(), {0, 1, 9}, 100, 50, true);
  EXPECT_GT(row.x_of(9) - row.x_of(1), row.x_of(1) - row.x_of(0));
  EXPECT_NEAR(row.right(), 250, 0.01);
}

RowsLayout layout_in(float height, const RowsWords& words) {
  Picture nothing;
  const Metrics metrics = fixed_metrics();
  return rows_layout(Pen(nothing, metrics), dark_theme(), {0, height, true},
                     cell_row(dark_theme(), first_cells(8), 104, 80, true), words, 800, false, false);
}

TEST(ArrayRowsLayout, RowsBarriersAndCaptionFollowEachOther) {
  const RowsLayout at = layout_in(340, {{"a caption"}, {"what a sign means"}, {"sign"}});
  EXPECT_LT(at.before_y + at.before_h, at.open_y);
  EXPECT_LT(at.open_y, at.close_y);
  EXPECT_LT(at.close_y, at.after_y);
  EXPECT_LT(at.after_y + at.after_h, at.index_y(dark_theme()));
  EXPECT_LE(at.holds_y(dark_theme()) + caption_line_height(dark_theme()) * float(at.caption.lines.size()),
            340);
  EXPECT_EQ(at.caption.clauses, (Clauses{"a caption", "what a sign means"}));
}

TEST(ArrayRowsLayout, WordsGiveWayToArrows) {
  const RowsWords words{{"a caption"}, {"what a sign means"}, {"sign"}};
  EXPECT_TRUE(layout_in(120, words).caption.clauses.empty());
  const RowsLayout roomy = layout_in(400, words);
  EXPECT_GT(roomy.close_y - roomy.open_y, layout_in(220, words).close_y - layout_in(220, words).open_y);
}

// Of the brackets and what a sign means, the meaning stays where one of them has room.
TEST(ArrayRowsLayout, MeaningsOfSignsComeBeforeBrackets) {
  Picture nothing;
  const Metrics metrics = fixed_metrics();
  const auto layout = [&](float height, const RowsWords& words) {
    return rows_layout(Pen(nothing, metrics), dark_theme(), {0, height, true},
                       cell_row(dark_theme(), first_cells(8), 104, 80, true), words, 800, true, false);
  };
  int gave_way = 0;
  for (float height = 180; height < 420; height += 5) {
    const RowsLayout at = layout(height, {{"a caption"}, {"what a sign means"}, {"sign"}});
    const bool said = std::ranges::count(at.caption.clauses, "sign") > 0 ||
                      std::ranges::count(at.caption.clauses, "what a sign means") > 0;
    EXPECT_TRUE(said || layout(height, {{}, {}, {}}).holds_h > 0) << height;
    gave_way += said && at.holds_h == 0;
    EXPECT_GT(layout(height, {{"a caption"}, {}, {}}).holds_h, 0) << "no sign to explain";
  }
  EXPECT_GT(gave_way, 0);
  EXPECT_GT(layout(420, {{"a caption"}, {"what a sign means"}, {"sign"}}).holds_h, 0);
}

TEST(ArrayCaptions, WhatWasDrawnReplacesWhatWasPlanned) {
  const Clauses said{"sign", "boxed", "picked"}, planned{"boxed", "picked"};
  EXPECT_EQ(with_drawn(said, planned, {"picked"}), (Clauses{"sign", "picked"}));
  EXPECT_EQ(with_drawn({"sign", "boxed"}, planned, {"picked"}), (Clauses{"sign"}));
  EXPECT_EQ(with_drawn({"sign"}, {}, {"picked"}), (Clauses{"sign"}));
}

TEST(ArrayOccupied, APlaceIsFreeBetweenTheEdgesWhereNoBoxLies) {
  const OccupiedBoxes occupied{10, 100, {{20, 0, 10, 10}}};
  EXPECT_TRUE(occupied.is_free({40, 0, 10, 10}));
  EXPECT_TRUE(occupied.is_free({20, 10, 10, 10}));
  EXPECT_FALSE(occupied.is_free({25, 5, 10, 10}));
  EXPECT_FALSE(occupied.is_free({5, 50, 10, 10}));
  EXPECT_FALSE(occupied.is_free({95, 50, 10, 10}));
}

}  // namespace
}  // namespace bscope
