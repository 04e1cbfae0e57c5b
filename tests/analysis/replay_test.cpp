#include <gmock/gmock.h>

#include "engine/analysis/atomic_order.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/work.hpp"
#include "engine/trace/file.hpp"
#include "tests/analysis/hand_run.hpp"
#include "tests/messages.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

using test::HandRun;
using test::Value;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Two threads bring a number each to shared memory, meet, and take the other's.
HandRun exchange() {
  HandRun run(2);
  const int data = run.global("data", {10, 20}), s = run.shared("s", 2);
  for (int t : {0, 1}) run.store(t, 3, s, t, run.load(t, 2, data, t));
  run.barrier(4);
  for (int t : {0, 1}) run.phase(t, 5, "swap");
  for (int t : {1, 0}) run.store(t, 6, data, t, run.load(t, 6, s, 1 - t));
  return run;
}

class Replay : public ::testing::TestWithParam<bool> {};  // with turns, or without, as from a GPU
INSTANTIATE_TEST_SUITE_P(Orders, Replay, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "recorded" : "found"; });

TEST_P(Replay, FindsTheWriteThatEachReadSaw) {
  const Trace t = exchange().trace(GetParam());
  const DataflowGraph f = replay_trace(t);
  EXPECT_THAT(f.faults, IsEmpty());
  EXPECT_THAT(f.hazards, IsEmpty());
  EXPECT_TRUE(f.snapshots_match);
  EXPECT_EQ(f.snapshots, 3u);  // at the barrier, at the end, and global memory
  EXPECT_FALSE(f.order_matters);
  ASSERT_EQ(f.intervals.size(), 2u);
  for (int k : f.intervals[1].nodes) {
    const Node& n = f.nodes[k];
    if (n.op != Op::load) continue;
    ASSERT_GE(n.a, 0);
    EXPECT_EQ(f.nodes[n.a].op, Op::store);
    EXPECT_EQ(f.nodes[n.a].place, n.place);
    EXPECT_EQ(f.nodes[n.a].thread, 1 - n.thread);
  }
  for (size_t k = 0; k < f.nodes.size(); ++k) {
    EXPECT_LT(f.nodes[k].a, int(k));
    EXPECT_LT(f.nodes[k].b, int(k));
  }
}

TEST_P(Replay, CutsTheRunAtBarriers) {
  const Trace t = exchange().trace(GetParam());
  const DataflowGraph f = replay_trace(t);
  const auto of = f.of_block(0, 0);
  ASSERT_EQ(of.size(), 2u);
  EXPECT_EQ(of[0].line, 4);
  EXPECT_EQ(of[1].line, 0);
  EXPECT_EQ(of[0].phase, "load");
  EXPECT_EQ(of[1].phase, "swap");
  EXPECT_EQ(of[0].nodes.size(), 4u);
  EXPECT_THAT(active_threads(f, of[1]), ElementsAre(0, 1));
  EXPECT_TRUE(f.of_block(0, 1).empty());
  EXPECT_TRUE(f.of_block(1, 0).empty());
}

TEST_P(Replay, SeesASnapshotThatDiffers) {
  Trace t = exchange().trace(GetParam());
  t.launches[0].blocks[0].snapshots[4] ^= std::byte{1};
  const DataflowGraph f = replay_trace(t);
  EXPECT_FALSE(f.snapshots_match);
  EXPECT_THAT(texts(f.faults), ElementsAre(HasSubstr("after interval 0")));
}

TEST_P(Replay, SeesGlobalMemoryThatDiffers) {
  Trace t = exchange().trace(GetParam());
  t.launches[0].after[0][0] ^= std::byte{1};
  const DataflowGraph f = replay_trace(t);
  EXPECT_FALSE(f.snapshots_match);
  EXPECT_THAT(texts(f.faults), ElementsAre(HasSubstr("data after launch")));
}

TEST_P(Replay, ReportsAValueThatNothingExplains) {
  Trace t = exchange().trace(GetParam());
  for (Event& e : t.launches[0].blocks[0].events)
    if (e.op == Op::load && e.line == 6 && e.a == 0) e.bits = 77;
  EXPECT_THAT(texts(replay_trace(t).faults),
              ::testing::Contains(
                  ::testing::AllOf(HasSubstr("order"), HasSubstr("thread 1 saw in s[0] in line 6: 77"))));
}

TEST_P(Replay, ReportsAReadOfMemoryNeverWritten) {
  HandRun run(1);
  const int out = run.global("out", {0}), s = run.shared("s", 2);
  run.store(0, 3, out, 0, run.load(0, 2, s, 1));
  EXPECT_THAT(
      texts(replay_trace(run.trace(GetParam())).faults),
      ElementsAre(
          "Thread 0 reads s[1] in line 2, but nothing has been stored there yet. "
          "Shared memory starts with garbage: store a value there and call __syncthreads() before line 2."));
}

TEST_P(Replay, ListsIntervalsWithoutAccessesToo) {
  HandRun run(2);
  run.global("data", {1});
  run.barrier(3);
  run.barrier(4);
  run.store(0, 5, 0, 0, {});
  const Trace t = run.trace(GetParam());
  const DataflowGraph f = replay_trace(t);
  ASSERT_EQ(f.intervals.size(), 3u);
  EXPECT_THAT(f.intervals[1].nodes, IsEmpty());
  EXPECT_EQ(f.intervals[1].phase, "load");
  EXPECT_EQ(analyse(t).barriers, 2);
}

TEST_P(Replay, LetsABarrierOpenWithoutThreadsThatReturned) {
  HandRun run(2);
  const int s = run.shared("s", 1), out = run.global("out", {0, 0});
  run.store(0, 2, s, 0, {0, 5});
  run.barrier(3);
  run.store(1, 4, out, 1, run.load(1, 4, s, 0));
  Trace t = run.trace(GetParam());
  t.launches[0].block = 3;  // thread 2 has returned at once
  t.launches[0].blocks[0].first.push_back(t.launches[0].blocks[0].first.back());
  const DataflowGraph f = replay_trace(t);
  EXPECT_THAT(f.faults, IsEmpty());
  EXPECT_TRUE(f.snapshots_match);
  EXPECT_EQ(f.intervals.size(), 2u);
}

TEST_P(Replay, LeavesABarrierShutThatNeverOpened) {
  HandRun run(2);
  const int s = run.shared("s", 1);
  run.store(0, 2, s, 0, {0, 5});
  run.barrier(3);
  Trace t = run.trace(GetParam());  // one snapshot only: the run was stopped at the barrier
  t.launches[0].blocks[0].snapshots.resize(4);
  const DataflowGraph f = replay_trace(t);
  EXPECT_TRUE(f.snapshots_match);
  ASSERT_EQ(f.intervals.size(), 1u);
  EXPECT_EQ(f.intervals[0].line, 0);
}

TEST_P(Replay, ReportsAnAccessOutOfBounds) {
  HandRun run(1);
  run.global("data", {1, 2});
  Trace t = run.trace(GetParam());
  t.launches[0].blocks[0].events = {{7, Op::fault, 0, 2, 5, 0}};
  t.launches[0].blocks[0].first = {0, 1};
  if (GetParam()) t.launches[0].turns = {{0, 1}};
  EXPECT_THAT(texts(replay_trace(t).faults), ElementsAre(HasSubstr("line 7: index 5 of 2 cells")));
}

TEST_P(Replay, FollowsShufflesAndReductionsOfAWarp) {
  HandRun run(4);
  const int data = run.global("data", {1, 2, 3, 4}), out = run.global("out", {0, 0, 0, 0});
  std::vector<Value> mine;
  for (int t = 0; t < 4; ++t) mine.push_back(run.load(t, 2, data, t));
  std::vector<Value> got(4);
  for (int t = 0; t < 4; ++t) got[size_t(t)] = run.shuffle(t, 3, t ^ 1, mine[size_t(t ^ 1)]);
  std::vector<Value> sum;
  for (int t = 0; t < 4; ++t) sum.push_back(run.reduce(t, 4, 0xf, got[size_t(t)], 10));
  for (int t = 0; t < 4; ++t) run.store(t, 5, out, t, sum[size_t(t)]);
  const Trace t = run.trace(GetParam());
  const DataflowGraph f = replay_trace(t);
  EXPECT_THAT(f.faults, IsEmpty());
  EXPECT_EQ(work(f).adds, 3);  // shared by all four lanes
  const auto w = words(t, f);
  EXPECT_EQ(final_word(t, f, w, {out, 3}).text(), "x1 x0 x3 x2");
  EXPECT_EQ(f.nodes[final_holder(f, {out, 0})].bits, 10u);
}

TEST_P(Replay, ShufflesThatNeverMatchEndInFaults) {
  HandRun run(2);
  run.global("data", {1, 2});
  run.shuffle(0, 3, 1, {1, 5});  // each wants the other's next
  run.shuffle(1, 3, 0, {1, 5});
  const DataflowGraph f = replay_trace(run.trace(GetParam()));
  EXPECT_THAT(texts(f.faults), ::testing::Contains(HasSubstr("has not made yet")));
}

TEST(ReplayOfAGpu, FindsTheOrderOfAtomicsFromTheirOldValues) {
  HandRun run(3);
  const int data = run.global("data", {0});
  for (int t : {2, 0, 1}) run.atomic(t, 4, Op::atomic_add, data, 0, {0, t + 1});
  const DataflowGraph f = replay_trace(run.trace(false));
  EXPECT_THAT(f.faults, IsEmpty());
  std::vector<int> order;
  for (int k : f.sequence) order.push_back(f.nodes[k].thread);
  EXPECT_THAT(order, ElementsAre(2, 0, 1));
}

TEST(ReplayOfAGpu, FindsAnOrderWhereValuesComeBack) {
  // 0 -> 3 only after 0 -> 5 -> 0: taking the first that fits would leave two over.
  HandRun run(3);
  const int data = run.global("data", {0});
  run.atomic(1, 4, Op::atomic_add, data, 0, {0, 5});
  run.atomic(2, 4, Op::atomic_add, data, 0, {0, -5});
  run.atomic(0, 4, Op::atomic_add, data, 0, {0, 3});
  const DataflowGraph f = replay_trace(run.trace(false));
  EXPECT_THAT(f.faults, IsEmpty());
  EXPECT_TRUE(f.snapshots_match);
}

TEST(ReplayOfAGpu, KeepsAnAtomicThatChangesNothingInTheChain) {
  // Block 1 came first and added 0: taken as "earlier" after block 0's, its input was missing in the sum.
  HandRun run(1, 2);
  const int data = run.global("data", {7, 0}), sum = run.global("sum", {0});
  for (int t : {1, 0}) run.atomic(t, 4, Op::atomic_add, sum, 0, run.load(t, 3, data, t));
  run.raw().input = data;
  run.raw().output = sum;
  const Trace t = run.trace(false);
  const DataflowGraph f = replay_trace(t);
  EXPECT_THAT(f.faults, IsEmpty());
  EXPECT_TRUE(f.snapshots_match);
  EXPECT_EQ(final_word(t, f, words(t, f), {sum, 0}).text(), "x1 x0");
  EXPECT_EQ(lost_updates(t, f).lost, 0);
}

TEST(ReplayOfAGpu, LetsAtomicsThatChangeNothingGoInAnyOrder) {
  // Two polls find the lock taken. Only the flag tells that thread 2 polled first; the release must wait.
  HandRun run(1, 3);
  const int lock = run.global("lock", {1}), flag = run.global("flag", {0});
  run.atomic(2, 3, Op::atomic_exch, lock, 0, {0, 1});
  run.release(2, 4, flag, 0, {0, 1});
  run.acquire(1, 5, flag, 0);
  run.atomic(1, 6, Op::atomic_exch, lock, 0, {0, 1});
  run.atomic(0, 7, Op::atomic_exch, lock, 0, {0, 0});
  const DataflowGraph f = replay_trace(run.trace(false));
  EXPECT_THAT(f.faults, IsEmpty());
  EXPECT_TRUE(f.snapshots_match);
  std::vector<int> order;
  for (int k : f.sequence)
    if (is_atomic(f.nodes[k].op)) order.push_back(f.nodes[k].thread);
  EXPECT_THAT(order, ElementsAre(2, 1, 0));
}

TEST(ReplayOfAGpu, FollowsATreeRecordedOnAnH200) {
  // reduce/tree-mask of 9 elements in two blocks; the second, which has only x8 = 0, came first.
  const Trace t =
      load(std::filesystem::path(BARRIERSCOPE_ROOT) / "tests/recorded/tree_second_block_first.bscope");
  const Report r = analyse(t);
  EXPECT_THAT(r.flow.faults, IsEmpty());
  EXPECT_TRUE(r.proof().holds) << r.proof().message.english();
  EXPECT_EQ(r.lost().lost, 0);
}

TEST(ReplayOfAGpu, LetsALockGoFromThreadToThread) {
  HandRun run(1, 2);
  const int lock = run.global("lock", {0}), count = run.global("count", {0});
  for (int t : {0, 1}) {
    run.atomic(t, 3, Op::atomic_exch, lock, 0, {0, 1});
    run.store(t, 4, count, 0, run.add(t, 4, run.load(t, 4, count, 0), run.constant(t, 4, 1)));
    run.atomic(t, 5, Op::atomic_exch, lock, 0, {0, 0});
  }
  const DataflowGraph f = replay_trace(run.trace(false));
  EXPECT_THAT(f.faults, IsEmpty());
  EXPECT_TRUE(f.snapshots_match);
}

TEST(ReplayOfAGpu, WaitsForTheValueThatAWaitSaw) {
  HandRun run(1, 2);
  const int flag = run.global("flag", {0}), data = run.global("data", {0}), out = run.global("out", {0});
  run.store(1, 3, data, 0, {0, 9});
  run.release(1, 4, flag, 0, {0, 1});
  run.acquire(0, 5, flag, 0);
  run.store(0, 6, out, 0, run.load(0, 6, data, 0));
  const DataflowGraph f = replay_trace(run.trace(false));
  EXPECT_THAT(f.faults, IsEmpty());
  EXPECT_THAT(f.hazards, IsEmpty());
  EXPECT_TRUE(f.order_matters);
}

TEST(ReplayOfAGpu, ExplainsRacesByEarlierValuesAndTheMemoryAtTheEnd) {
  // Both read 0, both add one; a third has read the first's 1. The last to write is the second.
  HandRun run(1, 3);
  const int bins = run.global("bins", {0});
  const Value a = run.load(0, 3, bins, 0), b = run.load(1, 3, bins, 0);
  run.store(0, 3, bins, 0, run.add(0, 3, a, run.constant(0, 3, 1)));
  const Value c = run.load(2, 3, bins, 0);
  run.store(2, 3, bins, 0, run.add(2, 3, c, run.constant(2, 3, 1)));
  run.store(1, 3, bins, 0, run.add(1, 3, b, run.constant(1, 3, 1)));
  run.raw().output = bins;
  for (bool turns : {true, false}) {
    const Trace t = run.trace(turns);
    const DataflowGraph f = replay_trace(t);
    EXPECT_THAT(f.faults, IsEmpty());
    EXPECT_TRUE(f.snapshots_match);
    EXPECT_FALSE(f.hazards.empty());
    const Lost lost = lost_updates(t, f);
    EXPECT_EQ(lost.performed, 3);
    EXPECT_EQ(lost.present, 1);
    EXPECT_EQ(lost.lost, 2);
  }
}

TEST(ReplayOfAGpu, ExplainsARaceOfVeryManyThreads) {
  // All read 0 before any wrote, and the first thread's write came last.
  constexpr int threads = 3000;
  HandRun run(1, threads);
  const int bins = run.global("bins", {0});
  for (int t = 0; t < threads; ++t) run.load(t, 3, bins, 0);
  for (int t = threads; t-- > 0;) run.store(t, 3, bins, 0, run.constant(t, 3, t + 1));
  const DataflowGraph f = replay_trace(run.trace(false));
  EXPECT_THAT(f.faults, IsEmpty());
  EXPECT_TRUE(f.snapshots_match);
  EXPECT_EQ(f.nodes[final_holder(f, {bins, 0})].thread, 0);
}

TEST(ReplayOfAGpu, NamesTheArrayThatDiffersHoweverManyFaultsThereAre) {
  HandRun run(1, 40);
  const int bins = run.global("bins", {0});
  for (int t = 0; t < 40; ++t) run.load(t, 3, bins, 0);
  Trace t = run.trace(false);
  for (BlockRun& b : t.launches[0].blocks) b.events[0].bits = 5;
  t.launches[0].after[0][0] = std::byte{1};
  EXPECT_EQ(replay_trace(t).faults.back().text(), "bins after launch launch differs from the replay");
}

TEST(AtomicOrder, EulerTrailUsesEveryStepOrNone) {
  const std::vector<AtomicStep> steps{{0, 3}, {0, 5}, {5, 0}, {3, 3}};
  EXPECT_FALSE(told_by_values(steps));
  EXPECT_THAT(euler_trail(0, steps), ::testing::AnyOf(ElementsAre(1, 2, 0, 3)));
  EXPECT_THAT(euler_trail(5, steps), IsEmpty());
  EXPECT_THAT(euler_trail(0, {}), IsEmpty());
  const std::vector<AtomicStep> chain{{1, 2}, {0, 1}, {2, 2}};
  EXPECT_TRUE(told_by_values(chain));
  const std::vector<AtomicStep> idle{{1, 1}, {1, 2}};
  EXPECT_FALSE(told_by_values(idle));
}

TEST(OrderMatters, OnlyWhereAnotherOrderCouldGiveAnotherTrace) {
  EXPECT_FALSE(order_matters(exchange().trace()));
  HandRun counting(2);
  const int n = counting.global("n", {0});
  for (int t : {0, 1}) counting.atomic(t, 2, Op::atomic_add, n, 0, {0, 1});
  EXPECT_FALSE(order_matters(counting.trace()));
  HandRun tickets(2);
  const int next = tickets.global("next", {0}), out = tickets.global("out", {0, 0});
  for (int t : {0, 1}) tickets.store(t, 3, out, t, tickets.atomic(t, 2, Op::atomic_add, next, 0, {0, 1}));
  EXPECT_TRUE(order_matters(tickets.trace()));
  Trace reported = exchange().trace();
  reported.findings.push_back({.line = 1, .message = message("something")});
  EXPECT_TRUE(order_matters(reported));
}

}  // namespace
}  // namespace bscope
