// What lanes hold between their exchanges, held against the exchanges themselves.
#include "engine/analysis/lane_rows.hpp"

#include <gtest/gtest.h>

#include "engine/analysis/exchanges.hpp"
#include "tests/analysis/moments_support.hpp"

namespace bscope {
namespace {

std::vector<const Exchange*> of_first_warp(const RunQueries& m, int launch) {
  std::vector<const Exchange*> all;
  for (const Exchange& e : m.exchanges(launch, 0))
    if (e.warp == 0 && e.interval == m.exchanges(launch, 0)[0].interval && moves_something(e))
      all.push_back(&e);
  return all;
}

TEST(LaneRows, LanesGiveWhatTheRowAboveHoldsAndHoldWhatTheyMade) {
  int exchanges = 0;
  for (const char* kernel : {"reduce/warp-shuffle", "reduce/grid-stride", "scan/look-back"}) {
    const RunQueries m = model_of(kernel);
    for (int launch = 0; launch < int(m.trace().launches.size()); ++launch) {
      if (m.exchanges(launch, 0).empty()) continue;
      const auto all = of_first_warp(m, launch);
      const int lanes = std::min(32, m.trace().launches[size_t(launch)].block);
      const LaneRows found = lane_rows(m.flow(), all, lanes);
      int next = 0;
      for (size_t k = 0; k < found.rows.size(); ++k) {
        const LaneRows::LaneRow& row = found.rows[k];
        ASSERT_EQ(int(row.lanes.size()), lanes);
        if (row.made_by >= 0) {
          EXPECT_EQ(row.made_by, next++) << "in order, each once";
          const Exchange& by = *all[size_t(row.made_by)];
          for (const Exchange::ExchangeLane& l : by.lanes) {
            const int made = found.made[size_t(row.made_by)][size_t(l.lane)];
            if (made < 0 || by.op != Op::shuffle) continue;
            EXPECT_EQ(row.lanes[size_t(l.lane)].bits, m.flow().nodes[size_t(made)].bits);
          }
        }
        if (row.gives_to < 0) continue;
        EXPECT_TRUE(k + 1 < found.rows.size() && found.rows[k + 1].made_by == row.gives_to);
        for (const Exchange::ExchangeLane& l : all[size_t(row.gives_to)]->lanes) {
          if (!l.gave) continue;
          EXPECT_EQ(row.lanes[size_t(l.lane)].bits, l.given) << kernel << ", lane " << l.lane;
        }
      }
      EXPECT_EQ(next, int(all.size()));
      exchanges += next;
    }
  }
  EXPECT_GT(exchanges, 9);
}

TEST(LaneRows, WhatNobodyHandedOnIsNotKnown) {
  const RunQueries m = model_of("reduce/warp-shuffle", 32, 32);
  const LaneRows none = lane_rows(m.flow(), {}, 32);
  ASSERT_EQ(none.rows.size(), 1u);
  for (const LaneRows::LaneValue& v : none.rows[0].lanes) EXPECT_FALSE(v.known);
}

}  // namespace
}  // namespace bscope
