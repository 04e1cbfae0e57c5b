// How many lanes of a warp take part in its instructions.
#include "engine/analysis/active_lanes.hpp"

#include <gtest/gtest.h>

#include "engine/analysis/facts.hpp"
#include "engine/analysis/source_loops.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "tests/analysis/hand_run.hpp"

namespace bscope {
namespace {

using test::HandRun;
using test::Value;

TEST(ActiveLanes, EveryLaneOfEveryWarpCountsOnce) {
  HandRun run(40);  // a warp of 32 lanes and one of 8
  const int g = run.global("g", std::vector<int32_t>(40));
  for (int t = 0; t < 40; ++t) run.load(t, 2, g, t);
  const auto all = active_lanes(run.trace());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].at(2), (ActiveLanes{.instructions = 2, .active = 40, .lanes = 40, .runs = 2}));
  EXPECT_EQ(all[0].at(2).idle(), 0);
  EXPECT_EQ(all[0].at(2).average(), 20);
}

// Lane t goes round t + 1 times, in a loop of two lines, and then stores: the warp stores once.
TEST(ActiveLanes, LanesThatLeftALoopWaitBehindIt) {
  HandRun run(4);
  const int g = run.global("g", std::vector<int32_t>(4));
  for (int t = 0; t < 4; ++t) {
    for (int round = 0; round <= t; ++round) {
      const Value v = run.load(t, 3, g, t);
      run.mul(t, 4, v, v);
    }
    run.store(t, 5, g, t, {0, 1});
  }
  const auto all = active_lanes(run.trace()).at(0);
  const ActiveLanes loop{.instructions = 4, .active = 4 + 3 + 2 + 1, .lanes = 16, .runs = 4};
  EXPECT_EQ(all.at(3), loop);
  EXPECT_EQ(all.at(4), loop);
  EXPECT_EQ(all.at(5), (ActiveLanes{.instructions = 1, .active = 4, .lanes = 4, .runs = 1}));
  EXPECT_EQ(total({all}).idle(), 12);
}

// The same in one line: a load begins each round, and only some rounds multiply. Lanes that skip it wait for
// those that do not, so a later round's is no earlier one's.
TEST(ActiveLanes, RoundsOfALoopInOneLineStayTogether) {
  HandRun run(2);
  const int g = run.global("g", std::vector<int32_t>(2));
  for (int t = 0; t < 2; ++t)
    for (int round = 0; round < 6; ++round) {
      const Value v = run.load(t, 3, g, t);
      if (round % 2 == t) run.mul(t, 3, v, v);
    }
  EXPECT_EQ(active_lanes(run.trace()).at(0).at(3),
            (ActiveLanes{.instructions = 6 + 6, .active = 12 + 6, .lanes = 24, .runs = 6}));
}

// Each round a lane takes one of two lines, and the end of the loop's body, where both meet, leaves no event:
// the warp still goes round only as often as its slowest lane.
TEST(ActiveLanes, BothArmsOfABranchMeetAtTheEndOfTheLoopsBody) {
  HandRun run(4);
  const int g = run.global("g", std::vector<int32_t>(4));
  for (int t = 0; t < 4; ++t)
    for (int round = 0; round < 8; ++round) {
      const Value v = run.load(t, 3, g, t);
      if ((round + t) % 3 == 0)
        run.mul(t, 4, v, v);
      else
        run.mul(t, 6, v, v);
    }
  Trace t = run.trace();
  t.sources = {
      {"x.cu",
       "void f() {\n  while (more())\n    if (load())\n      multiply();\n    else\n      multiply();\n}\n"}};
  t.launches[0].source = 0;
  const auto all = active_lanes(t).at(0);
  EXPECT_EQ(all.at(3), (ActiveLanes{.instructions = 8, .active = 32, .lanes = 32, .runs = 8}));
  EXPECT_EQ(all.at(4).runs + all.at(6).runs, 16);
  EXPECT_EQ(all.at(4).active + all.at(6).active, 32);
}

// Two loops, one in the other, without a text. In each outer round lane 0 goes round the inner loop twice,
// lane 1 once, and each skips line 6 in some rounds.
TEST(ActiveLanes, GoByTheRoundsThatATraceKnows) {
  HandRun run(2);
  const int g = run.global("g", std::vector<int32_t>(4));
  LoopRounds rounds{.rounds = {}, .marks = {}, .first = {0}};
  for (uint32_t outer = 0; outer < 3; ++outer) {
    rounds.rounds.push_back({0, outer, 3, 0});
    for (uint32_t inner = 0; inner < 2; ++inner) rounds.rounds.push_back({3 * outer + 1, inner, 5, 0});
  }
  for (int t = 0; t < 2; ++t) {
    uint32_t events = 0;
    for (uint32_t outer = 0; outer < 3; ++outer) {
      for (uint32_t inner = 0; inner < 2 - uint32_t(t); ++inner) {
        rounds.marks.push_back({events++, 3 * outer + 2 + inner});
        run.load(t, 5, g, t);
      }
      if ((outer + uint32_t(t)) % 2) continue;
      rounds.marks.push_back({events++, 3 * outer + 1});
      run.load(t, 6, g, t);
    }
    rounds.marks.push_back({events, 0});
    run.load(t, 7, g, t);
    rounds.first.push_back(uint32_t(rounds.marks.size()));
  }
  Trace t = run.trace();
  t.launches[0].blocks[0].rounds = rounds;
  const auto all = active_lanes(t).at(0);
  EXPECT_EQ(all.at(5), (ActiveLanes{.instructions = 6, .active = 9, .lanes = 12, .runs = 6}));
  EXPECT_EQ(all.at(6), (ActiveLanes{.instructions = 3, .active = 3, .lanes = 6, .runs = 3}));
  EXPECT_EQ(all.at(7), (ActiveLanes{.instructions = 1, .active = 2, .lanes = 2, .runs = 1}));
}

// Three operations in a line are one run of it; the same line three times in a loop is three.
TEST(ActiveLanes, RunsAreOfLinesAndNotOfOperations) {
  HandRun run(2);
  const int g = run.global("g", std::vector<int32_t>(4));
  for (int t = 0; t < 2; ++t) {
    const Value a = run.load(t, 2, g, t), b = run.load(t, 2, g, t + 2);
    const Value sum = run.mul(t, 2, a, b);
    for (int round = 0; round < 3; ++round) run.mul(t, 3, sum, sum);
  }
  const auto all = active_lanes(run.trace()).at(0);
  EXPECT_EQ(all.at(2), (ActiveLanes{.instructions = 3, .active = 6, .lanes = 6, .runs = 1}));
  EXPECT_EQ(all.at(3), (ActiveLanes{.instructions = 3, .active = 6, .lanes = 6, .runs = 3}));
}

TEST(ActiveLanes, ABarrierKeepsIntervalsApart) {
  HandRun run(2);
  const int g = run.global("g", std::vector<int32_t>(2));
  run.load(0, 2, g, 0);
  run.barrier(3);
  run.load(1, 2, g, 1);
  const Trace t = run.trace();
  const auto intervals = active_lanes(t.launches[0], t.launches[0].blocks[0], SourceLoops());
  ASSERT_EQ(intervals.size(), 2u);
  const ActiveLanes half{.instructions = 1, .active = 1, .lanes = 2, .runs = 1};
  EXPECT_EQ(intervals[0].at(2), half);
  EXPECT_EQ(intervals[1].at(2), half);
  EXPECT_EQ(intervals[0].at(3), (ActiveLanes{.instructions = 1, .active = 2, .lanes = 2, .runs = 1}));
  EXPECT_EQ(active_lanes(t).at(0).at(2),
            (ActiveLanes{.instructions = 2, .active = 2, .lanes = 4, .runs = 2}));
}

TEST(ActiveLanes, AVectorIsOneInstruction) {
  HandRun run(2);
  const int g = run.global("g", std::vector<int32_t>(8));
  for (int t = 0; t < 2; ++t) {
    run.together(t, 2, g, 4);
    for (int k = 0; k < 4; ++k) run.load(t, 2, g, 4 * t + k);
  }
  EXPECT_EQ(active_lanes(run.trace()).at(0).at(2),
            (ActiveLanes{.instructions = 1, .active = 2, .lanes = 2, .runs = 1}));
}

// Kernels whose threads all do the same leave no lane out, and trees do.
TEST(ActiveLanes, TellATreeFromACopy) {
  const auto of = [](const char* kernel) {
    const Algorithm& a = find(kernel);
    return total(
        active_lanes(run(a, make_problem(a, {.kernel = a.name, .n = 256, .block = 64}), Device::cpu)));
  };
  EXPECT_EQ(of("reduce/shared").share() < 1, true);
  EXPECT_GT(of("reduce/tree-mask").idle(), of("reduce/shared").idle());
}

}  // namespace
}  // namespace bscope
