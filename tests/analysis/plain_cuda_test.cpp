// What plain CUDA can do and the dialect's first kernels did not: more atomics, compare-and-swap, volatile
// accesses, fences, the barrier of the whole grid, blocks of two dimensions.
#include <gmock/gmock.h>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/arrows.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/why.hpp"
#include "engine/trace/file.hpp"
#include "tests/analysis/hand_run.hpp"

namespace bscope {
namespace {

using test::HandRun;
using test::Value;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Op every_atomic[] = {Op::atomic_add, Op::atomic_max, Op::atomic_exch, Op::atomic_sub,
                               Op::atomic_min, Op::atomic_and, Op::atomic_or,   Op::atomic_xor,
                               Op::atomic_inc, Op::atomic_dec};

/// The trace, with as many lines of source as its events name.
Trace whole(HandRun& run, bool turns) {
  run.raw().sources[0].text = std::string(40, '\n');
  return run.trace(turns);
}

class PlainCuda : public ::testing::TestWithParam<bool> {};  // with turns, or without, as from a GPU
INSTANTIATE_TEST_SUITE_P(Orders, PlainCuda, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "recorded" : "found"; });

TEST_P(PlainCuda, EveryAtomicLeavesInTheReplayWhatItLeftInMemory) {
  HandRun run(4);
  const int data = run.global("data", std::vector<int32_t>(10, 12));
  for (int k = 0; k < 10; ++k)
    for (int t : {2, 0, 3, 1}) run.atomic(t, 4 + k, every_atomic[k], data, k, {0, 5 + 6 * t});
  const Trace t = whole(run, GetParam());
  EXPECT_NO_THROW(validate(t));
  for (const DataflowGraph& f : {replay_trace(t), replay_in_order(t)}) {
    EXPECT_THAT(f.faults, IsEmpty());
    EXPECT_THAT(f.hazards, IsEmpty());
    EXPECT_TRUE(f.snapshots_match);
  }
}

TEST_P(PlainCuda, ASwapThatFailsWritesNothing) {
  HandRun run(2);
  const int lock = run.global("lock", {0}), out = run.global("out", {0, 0});
  run.swap(1, 3, lock, 0, {0, 0}, {0, 1});
  const Value seen = run.swap(0, 3, lock, 0, {0, 0}, {0, 1});
  run.branch(0, 3, seen);
  run.store(0, 4, out, 0, seen);
  run.raw().output = out;
  const Trace t = whole(run, GetParam());
  EXPECT_NO_THROW(validate(t));
  for (const DataflowGraph& f : {replay_trace(t), replay_in_order(t)}) {
    EXPECT_THAT(f.faults, IsEmpty());
    EXPECT_TRUE(f.snapshots_match);
    EXPECT_TRUE(f.order_matters);
    const int writer = final_holder(f, {lock, 0});
    ASSERT_GE(writer, 0);
    EXPECT_EQ(f.nodes[size_t(writer)].thread, 1);
    // the value came from the swap that succeeded
    const Node& store = f.nodes[size_t(final_holder(f, {out, 0}))];
    EXPECT_EQ(f.nodes[size_t(store.a)].op, Op::atomic_cas_failed);
    EXPECT_EQ(f.nodes[size_t(store.a)].a, writer);
    // a warp swaps in one request, whatever each lane finds
    const auto requests = bscope::requests(t, f);
    ASSERT_FALSE(requests.empty());
    EXPECT_EQ(requests[0].op, Op::atomic_cas);
    EXPECT_THAT(requests[0].lanes, SizeIs(2));
  }
}

TEST(PlainCudaArrows, SayHowAnAtomicMadeItsValue) {
  HandRun run(1);
  const int in = run.global("in", {9}), out = run.global("out", std::vector<int32_t>(11, 12));
  for (int k = 0; k < 10; ++k) run.atomic(0, 4 + k, every_atomic[k], out, k, run.load(0, 3, in, 0));
  run.swap(0, 20, out, 10, run.load(0, 19, out, 10), run.load(0, 19, in, 0));
  const Trace t = run.trace();
  const DataflowGraph f = replay_trace(t);
  std::vector<std::string> words;
  for (const Arrow& a : arrows(f, f.intervals[0])) words.push_back(a.op);
  EXPECT_THAT(words, ElementsAre("add", "max", "copy", "subtract", "min", "and", "or", "xor", "add",
                                 "subtract", "copy"));
  const auto w = bscope::words(t, f);
  const auto said = [&](int cell) { return sentence(why(t, f, w, f.intervals[0], {out, cell}, 1)); };
  EXPECT_THAT(said(3), HasSubstr("out[3] = 12 - 9 = 3, in one step"));
  EXPECT_THAT(said(5), HasSubstr("out[5] = 12 & 9 = 8"));
  EXPECT_THAT(said(4), HasSubstr("out[4] = atomic_min(12, 9) = 9"));
  EXPECT_THAT(said(10), HasSubstr("out[10] = atomic_cas(12, 9) = 9"));
}

TEST(PlainCudaAtomics, WrapAsIntegersDo) {
  const auto after = [](Op op, ElementType kind, uint64_t old, uint64_t with) {
    return after_atomic(op, kind, old, with);
  };
  EXPECT_EQ(after(Op::atomic_sub, ElementType::u32, 0, 1), 0xffffffffu);
  EXPECT_EQ(after(Op::atomic_inc, ElementType::u32, 0xffffffff, 0xffffffff), 0u);
  EXPECT_EQ(after(Op::atomic_dec, ElementType::u32, 0, 6), 6u);
  EXPECT_EQ(after(Op::atomic_dec, ElementType::u32, 7, 6), 6u);
  EXPECT_EQ(after(Op::atomic_dec, ElementType::u32, 6, 6), 5u);
  EXPECT_EQ(after(Op::atomic_dec, ElementType::i32, 0x80000000, 0x7fffffff),
            0x7fffffffu);  // forged: no overflow
  EXPECT_EQ(after(Op::atomic_min, ElementType::i32, 3, 0xffffffff), 0xffffffffu);
  EXPECT_EQ(after(Op::atomic_min, ElementType::u32, 3, 0xffffffff), 3u);
  EXPECT_EQ(after(Op::atomic_xor, ElementType::u64, ~0ull, 1), ~1ull);
}

TEST(NarrowAccesses, SeeWhoWroteTheirBytes) {
  HandRun run(4);
  run.raw().sources[0].text = std::string(40, '\n');
  const int s = run.shared("s", 1), data = run.global("data", {0});
  for (const int array : {s, data}) {
    run.part(0, 2, array, 0b0011);
    run.store(0, 2, array, 0, {0, 5});
    run.part(1, 3, array, 0b1100);
    run.store(1, 3, array, 0, {0, 5 | 7 << 16});
    run.part(2, 4, array, 0b0010);
    run.load(2, 4, array, 0);
    run.load(3, 5, array, 0);
    run.store(3, 6, array, 0, {0, 9});
    run.part(2, 7, array, 0b0001);
    run.load(2, 7, array, 0);
  }
  const Trace t = run.trace();
  EXPECT_NO_THROW(validate(t));
  for (const DataflowGraph& f : {replay_trace(t), replay_in_order(t)}) {
    EXPECT_TRUE(f.snapshots_match);
    int seen = 0;
    for (const Node& n : f.nodes)
      if (reads(n.op)) {
        const int from = f.nodes[size_t(n.a)].line;
        EXPECT_EQ(from, n.line == 4 ? 2 : n.line == 5 ? 3 : 6) << "line " << n.line;
        ++seen;
      }
    EXPECT_EQ(seen, 6);
  }
}

TEST(NarrowAccesses, LoseNoUpdateOfOtherBytes) {
  for (const uint8_t other : {0b1100, 0b0011}) {
    HandRun run(2);
    const int data = run.global("data", {0});
    run.raw().output = data;
    run.part(0, 2, data, 0b0011);
    Value low = run.load(0, 2, data, 0);
    run.part(1, 2, data, other);
    Value high = run.load(1, 2, data, 0);
    run.part(0, 2, data, 0b0011);
    run.store(0, 2, data, 0, run.add(0, 2, low, {0, 1}));
    run.part(1, 2, data, other);
    run.store(1, 2, data, 0, run.add(1, 2, high, {0, 1}));
    const Trace t = run.trace();
    const Lost lost = lost_updates(t, replay_trace(t));
    EXPECT_EQ(lost.performed, 2);
    EXPECT_EQ(lost.lost, other == 0b0011);
  }
}

TEST_P(PlainCuda, AGridBarrierClosesAnIntervalOfEveryBlock) {
  HandRun run(2, 3);
  const int s = run.shared("s", 1), data = run.global("data", std::vector<int32_t>(6));
  for (int t = 0; t < 6; ++t) run.store(t, 2, data, t, {0, t});
  run.store(0, 3, s, 0, {0, 1});
  run.grid_barrier(4);
  for (int t = 0; t < 6; ++t) run.load(t, 5, data, (t + 2) % 6);
  const Trace t = whole(run, GetParam());
  EXPECT_NO_THROW(validate(t));
  for (const DataflowGraph& f : {replay_trace(t), replay_in_order(t)}) {
    EXPECT_THAT(f.faults, IsEmpty());
    ASSERT_THAT(f.intervals, SizeIs(6));
    for (const Interval& v : f.intervals) {
      EXPECT_EQ(v.of_grid, v.index == 0);
      EXPECT_EQ(v.line, v.index == 0 ? 4 : 0);
    }
  }
}

TEST(PlainCudaThreads, AreNamedWithTheirPlace) {
  Launch l;
  l.grid = 4, l.block = 256;
  EXPECT_EQ(thread_name(l, 256 + 37), "thread 37 of block 1");
  l.block_extent = Extent{16, 16, 1};
  EXPECT_EQ(thread_name(l, 256 + 37), "thread 37 (x 5, y 2) of block 1");
  l.grid_extent = Extent{2, 2, 1};
  EXPECT_EQ(thread_name(l, 3 * 256 + 37), "thread 37 (x 5, y 2) of block 3 (x 1, y 1)");
  l.grid = 1;
  EXPECT_EQ(thread_name(l, 37), "thread 37 (x 5, y 2)");
}

}  // namespace
}  // namespace bscope
