// Which lines of a source are in view, without a picture.
#include <gtest/gtest.h>

#include "app/tabs/watch/source/page.hpp"

namespace bscope {
namespace {

int one_row(int) { return 1; }
std::pair<int, int> ends(const LineRange& r) { return {r.first, r.last}; }

TEST(SourcePage, LinesGrowOnBothSidesUntilThePageIsFull) {
  EXPECT_EQ(ends(grown_lines({10, 12}, 7, {1, 100}, one_row)), std::pair(8, 14));
  EXPECT_EQ(ends(grown_lines({1, 2}, 5, {1, 100}, one_row)), std::pair(1, 5));
  EXPECT_EQ(ends(grown_lines({99, 100}, 5, {1, 100}, one_row)), std::pair(96, 100));
  EXPECT_EQ(ends(grown_lines({10, 10}, 50, {5, 12}, one_row)), std::pair(5, 12));
}

TEST(SourcePage, OfLinesThatDoNotFitTheFirstAreShown) {
  EXPECT_EQ(ends(grown_lines({10, 30}, 4, {1, 100}, one_row)), std::pair(10, 13));
}

TEST(SourcePage, ALineMayTakeSeveralRows) {
  const auto rows = [](int line) { return line == 11 ? 3 : 1; };
  EXPECT_EQ(ends(grown_lines({10, 10}, 4, {10, 100}, rows)), std::pair(10, 11));
  EXPECT_EQ(last_page(11, 4, rows), 10);
}

TEST(SourcePage, TheSelectedLineAndTheRunningOnesAreInViewInTwoPiecesIfTheyLieFarApart) {
  const std::vector<LineRange> one =
      lines_in_view({.all = 100, .running = {40, 44}, .telling = 40, .selected = 42}, 10, one_row);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_TRUE(one[0].holds(40) && one[0].holds(44));
  const std::vector<LineRange> two =
      lines_in_view({.all = 100, .running = {40, 44}, .telling = 40, .selected = 80}, 12, one_row);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_TRUE(two[0].holds(40) && two[0].holds(44) && !two[0].holds(80));
  EXPECT_TRUE(two[1].holds(80));
  EXPECT_LT(two[0].last, two[1].first);
}

TEST(SourcePage, ALongSelectedLineIsNotCutForALongLineThatRunsElsewhere) {
  const auto rows = [](int line) { return line == 10 || line == 20 ? 4 : 1; };
  const std::vector<LineRange> shown =
      lines_in_view({.all = 100, .running = {10, 10}, .telling = 10, .selected = 20}, 8, rows);
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(ends(shown[0]), std::pair(18, 22));
}

TEST(SourcePage, RunningLinesComeBeforeNeighboursOfTheTellingAndTheSelectedOne) {
  const auto rows = [](int line) {
    if (line == 24 || line == 31) return 2;
    return line == 25 || line == 26 || line == 28 ? 3 : 1;
  };
  for (const int last : {26, 29}) {  // the selected line runs, or does not
    const std::vector<LineRange> shown =
        lines_in_view({.all = 40, .running = {25, last}, .telling = 25, .selected = 29}, 9, rows);
    ASSERT_EQ(shown.size(), 2u);
    EXPECT_EQ(ends(shown[0]), std::pair(25, 26));
    EXPECT_TRUE(shown[1].holds(29));
  }
}

TEST(SourcePage, WhereNotAllRunningLinesFitTheTellingOneIsShown) {
  const std::vector<LineRange> shown =
      lines_in_view({.all = 100, .running = {10, 90}, .telling = 50, .selected = 0}, 8, one_row);
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_TRUE(shown[0].holds(50));
}

TEST(SourcePage, TheLastPageEndsWithTheLastLine) {
  EXPECT_EQ(last_page(100, 10, one_row), 91);
  EXPECT_EQ(last_page(5, 10, one_row), 1);
}

}  // namespace
}  // namespace bscope
