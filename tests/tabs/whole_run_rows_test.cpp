// Which rows the whole run has and which of them are in view, without a picture.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/run/run.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/whole_run/rows.hpp"
#include "engine/analysis/block_steps.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

constexpr int plenty = 1'000'000;

WholeRunRows rows_at(const RunQueries& m, int step, int fit = plenty, bool future = true) {
  const Cursor c = at_step(m.run(), {}, step);
  return whole_run_rows(m, m.block(c), m.track(c), shown_part(m, c).array, fit, future);
}

TEST(WholeRunRows, AShortRunIsWhollyInViewHoweverItIsScrolled) {
  for (const int scroll : {-3, 0, 3}) {
    const RowsInView view = rows_in_view(5, 8, 2, scroll);
    EXPECT_EQ(view.first, 0);
    EXPECT_EQ(view.end(), 5);
  }
}

TEST(WholeRunRows, OfALongRunThoseAroundThePresentAreInView) {
  EXPECT_EQ(rows_in_view(20, 6, 10, 0).first, 7);
  EXPECT_EQ(rows_in_view(20, 6, 10, 2).first, 9);
  EXPECT_EQ(rows_in_view(20, 6, 0, 0).first, 0);
  EXPECT_EQ(rows_in_view(20, 6, 19, 0).first, 14);
  EXPECT_EQ(rows_in_view(20, 6, 10, 100).first, 14);
  EXPECT_EQ(rows_in_view(20, 6, 10, -100).first, 0);
  EXPECT_EQ(rows_in_view(20, 6, 10, 0).count, 6);
}

TEST(WholeRunRows, EveryLaunchHasAHeadingAndEveryStepOfTheTrackARow) {
  const RunQueries m = model_of("scan/hierarchical");
  const Track track = m.track(at_step(m.run(), {}, 0));
  const WholeRunRows rows = rows_at(m, 0);
  EXPECT_EQ(std::ranges::count(rows.all, WholeRunRow::head, &WholeRunRow::what),
            std::ptrdiff_t(m.trace().launches.size()));
  ASSERT_EQ(rows.of_track.size(), track.steps.size());
  for (size_t k = 0; k < rows.of_track.size(); ++k) {
    const WholeRunRow& row = rows.all[size_t(rows.of_track[k])];
    EXPECT_EQ(row.what, WholeRunRow::step);
    EXPECT_EQ(row.launch, track.steps[k]->interval->launch);
    EXPECT_EQ(row.index, track.steps[k]->interval->index);
  }
  EXPECT_EQ(rows.present, rows.of_track[size_t(track.present)]);
}

// The rows of lanes stand with their step, and are left out of other blocks where there is no room.
TEST(WholeRunRows, WithoutRoomOnlyThePresentBlockShowsItsLanes) {
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    const Cursor c = at_step(m.run(), {}, 0);
    if (!m.step(c)) continue;
    const WholeRunRows roomy = rows_at(m, 0), tight = rows_at(m, 0, 1);
    EXPECT_LE(tight.size(), roomy.size()) << a->name;
    EXPECT_LE(tight.present_first, tight.present) << a->name;
    EXPECT_GE(tight.present_last, tight.present) << a->name;
    for (const WholeRunRow& row : tight.all)
      if (row.what == WholeRunRow::lanes) {
        EXPECT_EQ(row.launch, m.block(c).launch) << a->name;
        EXPECT_EQ(row.block, m.block(c).block) << a->name;
        EXPECT_FALSE(exchanges_of(m, row).empty()) << a->name;
      }
  }
}

TEST(WholeRunRows, WithoutTheFutureTheyEndAtThePresentStep) {
  const RunQueries m = model_of("scan/hierarchical");
  const Track track = m.track(at_step(m.run(), {}, 1));
  const WholeRunRows all = rows_at(m, 1), past = rows_at(m, 1, plenty, false);
  EXPECT_EQ(past.size(), all.present_last + 1);
  EXPECT_EQ(past.of_track.size(), size_t(track.present) + 1);
  EXPECT_EQ(past.present, all.present);
}

}  // namespace
}  // namespace bscope
