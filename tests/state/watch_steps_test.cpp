#include "app/state/watch_steps.hpp"

#include <gtest/gtest.h>

#include "engine/analysis/substeps.hpp"

namespace bscope {
namespace {

State on(const char* kernel, long long n, long long block = 0) {
  Request r;
  r.kernel = kernel;
  r.n = n;
  if (block) r.block = block;
  State s;
  s.run = open_run(r);
  return s;
}
int substeps_of(const State& s) {
  return count_substeps(s.run->trace, s.run->report.flow, interval_at(*s.run, s.cursor));
}

TEST(SubSteps, GoThroughTheWholeRunAndBack) {
  State s = on("scan/blelloch", 16);
  long all = 0;
  for (const Interval& v : s.run->report.flow.intervals)
    all += count_substeps(s.run->trace, s.run->report.flow, v);
  ASSERT_GT(all, 20);
  std::vector<std::pair<int, int>> forth, back;
  for (long k = 0; k < all; ++k) {
    s = next_substep(s);
    forth.emplace_back(s.cursor.interval, s.cursor.substep);
  }
  EXPECT_EQ(forth.front(), std::pair(0, 0));
  EXPECT_EQ(forth.back(), std::pair(steps(*s.run) - 1, substeps_of(s) - 1));
  EXPECT_EQ(next_substep(s).cursor, s.cursor);  // there is no more
  for (long k = 0; k < all; ++k) {
    back.emplace_back(s.cursor.interval, s.cursor.substep);
    s = previous_substep(s);
  }
  EXPECT_EQ(std::vector(back.rbegin(), back.rend()), forth);
}

TEST(SubSteps, EscapeAndABarrierStepLeaveThem) {
  State s = next_substep(on("scan/blelloch", 16));
  s.cursor.cell = Place{first_shared, 3};
  s = clear_selection(s);
  EXPECT_EQ(s.cursor.substep, -1);
  EXPECT_TRUE(s.cursor.cell);  // the first Esc leaves the request alone
  EXPECT_FALSE(clear_selection(s).cursor.cell);
  EXPECT_EQ(forward(next_substep(s)).cursor.substep, -1);
  EXPECT_EQ(back(next_substep(s)).cursor.substep, -1);
  EXPECT_EQ(previous_substep(s).cursor.substep, substeps_of(s) - 1);
}

TEST(Launches, AreReachedAndClamped) {
  State s = on("scan/hierarchical", 64, 8);
  ASSERT_GT(s.run->trace.launches.size(), 1u);
  s.cursor.thread = 5;
  s = to_launch(s, 1);
  EXPECT_EQ(s.cursor.launch, 1);
  EXPECT_EQ(s.cursor.interval, 0);
  EXPECT_EQ(s.cursor.thread, -1);
  EXPECT_EQ(to_launch(s, 99).cursor.launch, int(s.run->trace.launches.size()) - 1);
  EXPECT_EQ(to_launch(s, -1).cursor.launch, 0);
}

}  // namespace
}  // namespace bscope
