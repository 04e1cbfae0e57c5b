#include "engine/analysis/hazards.hpp"

#include <gmock/gmock.h>

#include <set>

#include "engine/analysis/proof.hpp"
#include "tests/analysis/hand_run.hpp"

namespace bscope {
namespace {

using test::HandRun;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Hazards, NameBothLinesBothThreadsTheCellAndTheMend) {
  HandRun run(64);
  const int s = run.shared("s", 64), out = run.global("out", std::vector<int32_t>(64));
  run.store(3, 7, s, 5, {0, 1});
  run.store(40, 9, out, 0, run.load(40, 8, s, 5));
  const Flow f = follow(run.trace());
  ASSERT_THAT(f.hazards, SizeIs(1));
  const Hazard& h = f.hazards[0];
  EXPECT_THAT(h.lines, ElementsAre(7, 8));
  EXPECT_THAT(h.threads, ElementsAre(3, 40));
  EXPECT_EQ(h.place, (Place{s, 5}));
  EXPECT_EQ(h.array, "s");
  EXPECT_EQ(
      h.sentence,
      "Thread 3 writes s[5] in line 7, thread 40 reads it in line 8, and nothing orders the two: a barrier "
      "belongs between line 7 and line 8.");
}

TEST(Hazards, SayWhereTheBarrierBelongs) {
  auto fix = [](int lag) {
    HandRun run(64);
    const int s = run.shared("s", 64), out = run.global("out", {0});
    run.store(0, 9, out, 0, {});
    run.store(33, 2, s, 1, {});
    run.barrier(3);
    run.load(33, 4, s, 0);
    run.load(0, 4, s, 1);
    if (lag == 0) run.store(33, 5, s, 1, {});  // in the order of the lines
    if (lag == 1) {                            // the other way round: one ran ahead
      run.store(33, 6, s, 2, {});
      run.load(0, 4, s, 2);
    }
    if (lag == 2) {  // a loop without a barrier
      run.store(33, 6, s, 2, {});
      run.load(33, 4, s, 1);
      run.load(0, 4, s, 2);
    }
    if (lag == 3) {  // in the order of the lines, and the first comes to the second's line too
      run.store(33, 6, s, 2, {});
      run.load(0, 7, s, 2);
      run.load(33, 7, s, 0);
    }
    const std::string text = follow(run.trace()).hazards.at(0).sentence;
    return text.substr(text.find("a barrier"));
  };
  EXPECT_EQ(fix(0), "a barrier belongs between line 4 and line 5.");
  EXPECT_EQ(fix(1), "a barrier belongs between line 4 and line 6.");
  EXPECT_EQ(fix(2), "a barrier belongs between line 6 and the next round's line 4.");
  EXPECT_EQ(fix(3), "a barrier belongs between line 6 and line 7.");
}

TEST(Hazards, NeedTwoThreadsOneCellAndAWrite) {
  HandRun run(2);
  const int s = run.shared("s", 2), out = run.global("out", {0, 0});
  run.store(0, 2, s, 0, {0, 1});
  run.load(0, 3, s, 0);           // its own
  run.store(1, 2, s, 1, {0, 1});  // another cell
  run.barrier(4);
  run.load(0, 5, s, 1);
  run.load(1, 5, s, 1);  // two reads
  run.store(0, 6, out, 0, {});
  EXPECT_THAT(follow(run.trace()).hazards, IsEmpty());
}

TEST(Hazards, ABarrierOrdersItsOwnBlockOnly) {
  HandRun run(2, 2);
  const int data = run.global("data", {0, 0});
  run.store(0, 2, data, 0, {0, 1});
  run.barrier(3, 0);
  run.barrier(3, 1);
  run.load(1, 4, data, 0);  // same block: ordered
  EXPECT_THAT(follow(run.trace()).hazards, IsEmpty());
  HandRun apart(2, 2);
  const int other = apart.global("data", {0, 0});
  apart.store(0, 2, other, 0, {0, 1});
  apart.barrier(3, 0);
  apart.barrier(3, 1);
  apart.load(2, 4, other, 0);
  const Flow f = follow(apart.trace());
  ASSERT_THAT(f.hazards, SizeIs(1));
  EXPECT_THAT(f.hazards[0].sentence, AllOf(HasSubstr("Thread 0 of block 0"), HasSubstr("thread 0 of block 1"),
                                           HasSubstr("blocks do not wait for each other")));
}

TEST(Hazards, LaunchesAreOrdered) {
  HandRun run(1, 2);
  const int data = run.global("data", {0});
  run.store(0, 2, data, 0, {0, 1});
  run.next_launch("second");
  run.load(1, 3, data, 0);
  EXPECT_THAT(follow(run.trace()).hazards, IsEmpty());
}

TEST(Hazards, AtomicsDoNotRaceWithEachOtherButWithPlainAccesses) {
  HandRun run(2);
  const int data = run.global("data", {0, 0});
  for (int t : {0, 1}) run.atomic(t, 2, Op::atomic_add, data, 0, {0, 1});
  EXPECT_THAT(follow(run.trace()).hazards, IsEmpty());
  HandRun mixed(2);
  const int other = mixed.global("data", {0, 0});
  mixed.atomic(0, 2, Op::atomic_add, other, 0, {0, 1});
  mixed.load(1, 3, other, 0);
  const Flow f = follow(mixed.trace());
  ASSERT_THAT(f.hazards, SizeIs(1));
  EXPECT_THAT(f.hazards[0].sentence, HasSubstr("make the access in line 3 an atomic too"));
}

TEST(Hazards, SyncWarpOrdersTheLanesOfItsMaskOnly) {
  auto run = [](int reader, uint32_t mask, int lanes) {
    HandRun r(64);
    const int s = r.shared("s", 1);
    r.store(2, 2, s, 0, {0, 1});
    r.sync_warp(0, lanes, 3, mask);
    if (reader >= lanes) r.sync_warp(reader, 1, 3, 1u << reader % 32);
    r.load(reader, 4, s, 0);
    return follow(r.trace()).hazards.size();
  };
  EXPECT_EQ(run(5, 0xffffffffu, 32), 0u);
  EXPECT_EQ(run(5, 0xffffu, 16), 0u);
  EXPECT_EQ(run(20, 0xffffu, 16), 1u);  // met itself only
  EXPECT_EQ(run(40, 0xffffffffu, 32), 1u);
}

TEST(Hazards, ReadersBehindASyncWarpDoNotHideOneThatIsNot) {
  HandRun r(64);
  const int s = r.shared("s", 1), out = r.global("out", {0});
  r.store(0, 1, s, 0, {});
  r.barrier(2);
  for (int t : {0, 1, 2, 40}) r.load(t, 3, s, 0);
  r.sync_warp(0, 32, 4, 0xffffffffu);
  r.store(0, 5, s, 0, {});
  r.store(0, 6, out, 0, {});
  const Flow f = follow(r.trace());
  ASSERT_THAT(f.hazards, SizeIs(1));
  EXPECT_THAT(f.hazards[0].threads, ElementsAre(40, 0));
}

TEST(Hazards, AReleaseOrdersWhoeverSawItsValue) {
  for (bool seen : {true, false}) {
    HandRun r(2, 2);
    const int flag = r.global("flag", {0}), data = r.global("data", {0, 0});
    r.store(1, 2, data, 1, {0, 7});
    r.barrier(3, 0);
    r.store(0, 4, data, 0, {0, 7});
    if (!seen) r.acquire(2, 6, flag, 0);
    r.release(0, 5, flag, 0, {0, 1});
    if (seen) r.acquire(2, 6, flag, 0);
    r.barrier(7, 1);
    r.load(3, 8, data, 0);  // learnt through its block's barrier
    r.load(3, 9, data, 1);  // written by another thread before the releaser's barrier
    EXPECT_THAT(follow(r.trace()).hazards, SizeIs(seen ? 0 : 2)) << seen;
  }
}

TEST(Hazards, EveryPairOfLinesIsFoundHoweverManyThreadsReadBefore) {
  HandRun run(128);
  const int s = run.shared("s", 1), out = run.global("out", {0});
  run.store(0, 1, s, 0, {});
  run.barrier(2);
  for (int t = 0; t < 128; ++t) run.load(t, 3, s, 0);
  for (int t = 0; t < 128; ++t) run.load(t, 4, s, 0);
  run.store(0, 5, s, 0, {});
  run.store(0, 6, out, 0, {});
  const Flow f = follow(run.trace());
  std::set<std::pair<int, int>> lines;
  for (const Hazard& h : f.hazards) lines.insert({h.lines[0], h.lines[1]});
  EXPECT_THAT(lines, ElementsAre(std::pair(3, 5), std::pair(4, 5)));
}

TEST(Hazards, AnOwnEarlierAccessDoesNotHideAnotherThreads) {
  // first a read by thread 1, then by thread 0; thread 0 writes: it races with thread 1's read
  HandRun run(2);
  const int s = run.shared("s", 1), out = run.global("out", {0});
  run.store(0, 1, s, 0, {});
  run.barrier(2);
  run.load(0, 3, s, 0);
  run.load(0, 3, s, 0);
  run.load(1, 3, s, 0);
  run.store(0, 4, s, 0, {});
  run.store(0, 5, out, 0, {});
  EXPECT_THAT(follow(run.trace()).hazards, SizeIs(1));
}

TEST(Hazards, AreListedByLinesFirstAndAtMost64) {
  HandRun run(256);
  const int data = run.global("data", std::vector<int32_t>(256));
  for (int t = 0; t < 256; ++t) run.store(t, 2, data, 0, {0, t});
  run.store(0, 3, data, 255, {});
  run.load(1, 4, data, 255);
  const Flow f = follow(run.trace());
  EXPECT_GE(f.hazards_found, 255u);
  EXPECT_LE(f.hazards.size(), 64u);
  EXPECT_THAT(f.hazards[0].lines, ElementsAre(2, 2));
  EXPECT_THAT(f.hazards[1].lines, ElementsAre(3, 4));
  EXPECT_THAT(f.hazards[0].sentence, HasSubstr("use an atomic, or give each thread a cell of its own"));
}

/// n random runs of a few threads, cells and barriers; every pair of accesses compared with every other.
TEST(Hazards, AgreeWithComparingAllPairs) {
  uint32_t random = 12345;
  auto below = [&](uint32_t n) {
    random = random * 1664525u + 1013904223u;
    return int((random >> 8) % n);
  };
  for (int trial = 0; trial < 400; ++trial) {
    const int block = 1 + below(40), grid = 1 + below(3);
    HandRun run(block, grid);
    const int s = run.shared("s", 3), g = run.global("g", {0, 0, 0});
    struct Access {
      int thread, array, index, line, interval;
      bool writes, strong;
    };
    std::vector<Access> all;
    std::vector<int> interval(size_t(grid), 0);
    for (int step = 0; step < 30; ++step) {
      const int t = below(uint32_t(block * grid)), b = t / block, line = 10 + below(6);
      if (below(6) == 0) {
        run.barrier(90, b);
        ++interval[size_t(b)];
        continue;
      }
      const int array = below(2) ? s : g, index = below(3), what = below(4);
      if (what == 0) run.store(t, line, array, index, {0, step});
      if (what == 1) run.atomic(t, line, Op::atomic_add, array, index, {0, 1});
      if (what >= 2) run.load(t, line, array, index);
      all.push_back({t, array, index, line, interval[size_t(b)], what <= 1, what == 1});
    }
    std::set<std::tuple<int, int, int>> want, got;
    for (size_t y = 0; y < all.size(); ++y)
      for (size_t x = 0; x < y; ++x) {
        const Access &p = all[x], &q = all[y];
        const bool same_block = p.thread / block == q.thread / block;
        if (p.thread == q.thread || p.array != q.array || p.index != q.index || !(p.writes || q.writes) ||
            (p.strong && q.strong) || (same_block ? p.interval != q.interval : p.array == s))
          continue;
        want.insert({p.array, std::min(p.line, q.line), std::max(p.line, q.line)});
      }
    const Trace t = run.trace();
    const Flow f = follow(t);
    for (const Hazard& h : find_hazards(t, f, 0, 0, 4096).list)
      got.insert({h.place.array, std::min(h.lines[0], h.lines[1]), std::max(h.lines[0], h.lines[1])});
    ASSERT_EQ(got, want) << "trial " << trial;
    ASSERT_EQ(f.hazards.empty(), want.empty());
  }
}

TEST(Barriers, AreNeededWhereTakingThemOutMakesARace) {
  HandRun run(2);
  const int s = run.shared("s", 2), out = run.global("out", {0, 0});
  for (int t : {0, 1}) run.store(t, 2, s, t, {0, t});
  run.barrier(3);
  for (int t : {0, 1}) run.store(t, 4, out, t, run.load(t, 4, s, 1 - t));
  run.barrier(5);
  for (int t : {0, 1}) run.load(t, 6, out, t);
  const Trace t = run.trace();
  const auto all = barriers(t, follow(t));
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_TRUE(all[0].needed);
  EXPECT_THAT(all[0].sentence,
              AllOf(HasSubstr("line 3"), HasSubstr("s[1]"), HasSubstr("line 2"), HasSubstr("line 4")));
  EXPECT_FALSE(all[1].needed);
  EXPECT_THAT(all[1].sentence, HasSubstr("line 5 alone could be left out"));
}

}  // namespace
}  // namespace bscope
