// What orders threads beyond barriers in plain CUDA: docs/hazards.md, rule by rule.
#include <gmock/gmock.h>

#include "engine/analysis/hazards.hpp"
#include "engine/simt/program.hpp"
#include "tests/analysis/hand_run.hpp"

namespace bscope {
namespace {

using test::HandRun;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<std::string> hazards_of(HandRun& run, Dialect dialect = Dialect::cuda) {
  Trace t = run.trace();
  t.dialect = dialect;
  std::vector<std::string> all;
  for (const Hazard& h : replay_trace(t).hazards) all.push_back(h.sentences().english());
  EXPECT_EQ(replay_in_order(t).hazards.size(), all.size());
  return all;
}

/// Blocks of two threads leave a number each and draw a ticket; the last one reads all numbers.
struct LastBlock {
  bool fence = true;
  Scope scope = Scope::device;
  bool all_fence = false;    ///< each thread writes and makes a fence; a barrier; one draws the ticket
  bool reads_first = false;  ///< the last block reads before it draws
  HandRun run{2, 3};
  int numbers = run.global("numbers", std::vector<int32_t>(6)), ticket = run.global("ticket", {0});

  void block(int b) {
    for (int t = 2 * b; t < 2 * b + (all_fence ? 2 : 1); ++t) {
      run.store(t, 3, numbers, t, {0, 7});
      if (fence) run.fence(t, 4, scope);
    }
    if (all_fence) run.barrier(5, b);
    if (b == 2 && reads_first) read();
    run.atomic(2 * b, 6, Op::atomic_inc, ticket, 0, {0, 2});
    run.barrier(7, b);
    if (b == 2 && !reads_first) read();
  }
  void read() {
    for (int t : {4, 5})
      for (int k = t - 4; k < 6; k += 2) run.load(t, 8, numbers, k);
  }
  std::vector<std::string> found(Dialect d = Dialect::cuda) {
    for (int b : {0, 1, 2}) block(b);
    return hazards_of(run, d);
  }
};

TEST(Fences, WithAnAtomicTellWhatCameBefore) {
  EXPECT_THAT(LastBlock{}.found(), IsEmpty());
  EXPECT_THAT((LastBlock{.scope = Scope::system}.found()), IsEmpty());
  EXPECT_THAT((LastBlock{.all_fence = true}.found()), IsEmpty());
}

TEST(Fences, AreMissedWhereAnAtomicTellsNothingYet) {
  const auto found = LastBlock{.fence = false}.found();
  ASSERT_THAT(found, Not(IsEmpty()));
  EXPECT_EQ(
      found[0],
      "Thread 0 of block 0 writes numbers[0] in line 3, thread 0 of block 2 reads it in line 8, and nothing "
      "orders the two. Put __threadfence() between line 3 and line 6, so that a thread that sees the write "
      "of line 6 sees that of line 3, too.");
  EXPECT_THAT((LastBlock{.fence = false}.found(Dialect::ours)[0]), HasSubstr("store_release"));
  EXPECT_THAT((LastBlock{.fence = false, .all_fence = true}.found()), Not(IsEmpty()));
}

TEST(Fences, OfABlockOrderThatBlockAlone) {
  const auto found = LastBlock{.scope = Scope::block}.found();
  ASSERT_THAT(found, Not(IsEmpty()));
  EXPECT_THAT(found[0], HasSubstr("__threadfence() before it is set"));
  const auto within = [](bool fence) {
    HandRun run(64);
    const int data = run.global("data", {0}), flag = run.shared("flag", 1);
    run.atomic(0, 2, Op::atomic_exch, flag, 0, {0, 0});
    run.store(0, 3, data, 0, {0, 1});
    if (fence) run.fence(0, 4, Scope::block);
    run.atomic(0, 5, Op::atomic_exch, flag, 0, {0, 1});
    run.atomic(40, 6, Op::atomic_add, flag, 0, {0, 0});
    run.load(40, 7, data, 0);
    return hazards_of(run).size();
  };
  EXPECT_EQ(within(true), 0u);
  EXPECT_EQ(within(false), 1u);
}

TEST(Fences, TellOnlyWhoLooksAfterwards) {
  EXPECT_THAT((LastBlock{.reads_first = true}.found()), Not(IsEmpty()));
  // what was written after the fence is not published
  HandRun run(1, 2);
  const int data = run.global("data", {0, 0}), flag = run.global("flag", {0});
  run.store(0, 3, data, 0, {0, 1});
  run.fence(0, 4);
  run.store(0, 5, data, 1, {0, 1});
  run.atomic(0, 6, Op::atomic_exch, flag, 0, {0, 1});
  run.atomic(1, 7, Op::atomic_add, flag, 0, {0, 0});
  run.load(1, 8, data, 0);
  run.load(1, 9, data, 1);
  const auto found = hazards_of(run);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0],
              AllOf(HasSubstr("data[1] in line 5"), HasSubstr("__threadfence() between line 5 and line 6")));
}

TEST(Fences, OfAReleaseOrAnAcquireOrderThatAccessAlone) {
  // Thread 0 hands data to 1, and 1 hands them to 2.
  const auto handed_on = [](bool acquires, bool releases, bool whole) {
    HandRun run(1, 3);
    const int data = run.global("data", {0}), first = run.global("first", {0}),
              second = run.global("second", {0});
    const auto release = [&](int t, int line, int flag) {
      run.fence(t, line, Scope::device, FencePart::release);
      run.store_relaxed(t, line, flag, 0, {0, 1});
    };
    const auto acquire = [&](int t, int line, int flag) {
      run.load_relaxed(t, line, flag, 0);
      run.fence(t, line, Scope::device, FencePart::acquire);
    };
    run.store(0, 3, data, 0, {0, 1});
    release(0, 4, first);
    acquires ? acquire(1, 5, first) : void(run.load_relaxed(1, 5, first, 0));
    if (whole) run.fence(1, 6);
    releases ? release(1, 7, second) : run.store_relaxed(1, 7, second, 0, {0, 1});
    acquire(2, 8, second);
    run.load(2, 9, data, 0);
    return hazards_of(run);
  };
  EXPECT_THAT(handed_on(true, true, false), IsEmpty());
  EXPECT_THAT(handed_on(false, false, true), IsEmpty());
  EXPECT_THAT(handed_on(false, true, false), SizeIs(1));
  EXPECT_THAT(handed_on(true, false, false), SizeIs(1));
}

TEST(Fences, OfAReleasePublishItsOwnWrite) {
  const auto read_behind = [](FencePart part) {
    HandRun run(1, 2);
    const int data = run.global("data", {0});
    run.fence(0, 3, Scope::device, part);
    run.store_relaxed(0, 3, data, 0, {0, 1});
    run.load_relaxed(1, 4, data, 0);
    run.fence(1, 4, Scope::device, FencePart::acquire);
    run.load(1, 5, data, 0);
    return hazards_of(run);
  };
  EXPECT_THAT(read_behind(FencePart::release), IsEmpty());
  EXPECT_THAT(read_behind(FencePart::whole), SizeIs(1));
}

TEST(Fences, MakeFlagsOfVolatileWords) {
  const auto flag = [](bool writer, bool reader) {
    HandRun run(1, 2);
    const int data = run.global("data", {0}), flag = run.global("flag", {0});
    run.load_volatile(1, 7, flag, 0);  // spins
    run.store(0, 3, data, 0, {0, 1});
    if (writer) run.fence(0, 4);
    run.store_volatile(0, 5, flag, 0, {0, 1});
    run.branch(1, 7, run.load_volatile(1, 7, flag, 0));
    if (reader) run.fence(1, 8);
    run.load(1, 9, data, 0);
    return hazards_of(run);
  };
  EXPECT_THAT(flag(true, true), IsEmpty());
  EXPECT_THAT(flag(true, false), Not(IsEmpty()));
  EXPECT_THAT(flag(false, true), Not(IsEmpty()));
  const auto bare = flag(false, false);
  ASSERT_THAT(bare, SizeIs(3));
  EXPECT_THAT(bare[0], AllOf(HasSubstr("reads flag[0] in line 7")));
  EXPECT_THAT(bare, ::testing::Contains(HasSubstr(
                        "volatile alone makes no flag: put __threadfence() before line 5 and after line 7")));
}

TEST(Fences, VolatileMakesNoLaneWait) {
  // the last steps of a textbook's tree, which count on a warp in step
  HandRun run(32);
  const int s = run.shared("s", 4);
  for (int t : {0, 1, 2, 3}) run.store(t, 2, s, t, {0, t});
  run.barrier(3);
  for (int t : {0, 1}) run.store_volatile(t, 5, s, t, run.load_volatile(t, 5, s, t + 2));
  run.store_volatile(0, 6, s, 0, run.load_volatile(0, 6, s, 1));
  const auto found = hazards_of(run);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(
      found[0],
      "Thread 1 writes s[1] in line 5, thread 0 reads it in line 6, and nothing orders the two. volatile "
      "makes no thread wait for another. Put __syncwarp() between line 5 and line 6.");
}

TEST(Fences, ABarrierOfTheGridOrdersAllBlocks) {
  HandRun run(2, 2);
  const int data = run.global("data", std::vector<int32_t>(4));
  for (int t : {0, 1, 2, 3}) run.store(t, 2, data, t, {0, 1});
  run.grid_barrier(3);
  for (int t : {0, 1, 2, 3}) run.store(t, 5, data, t, run.load(t, 4, data, t));
  run.grid_barrier(6);
  for (int t : {0, 1, 2, 3}) run.load(t, 7, data, (t + 2) % 4);
  const Trace t = run.trace();
  const DataflowGraph f = replay_trace(t);
  EXPECT_THAT(f.hazards, IsEmpty());
  EXPECT_EQ(find_hazards(t, f, 0, 3).found, 0u);
  EXPECT_EQ(find_hazards(t, f, 0, 6).found, 4u);
}

TEST(Fences, SentencesSpeakCudasWords) {
  const auto said = [](Dialect d, int reader) {
    HandRun run(64);
    const int s = run.shared("s", 64);
    run.store(3, 7, s, 5, {0, 1});
    run.load(reader, 8, s, 5);
    run.raw().launches[0].block_extent = Extent{8, 8, 1};
    return hazards_of(run, d).at(0);
  };
  EXPECT_EQ(said(Dialect::cuda, 42),
            "Thread 3 (x 3, y 0) writes s[5] in line 7, thread 42 (x 2, y 5) reads it in line 8, and nothing "
            "orders the two. Put __syncthreads() between line 7 and line 8.");
  EXPECT_THAT(said(Dialect::cuda, 4),
              HasSubstr("__syncthreads() (or, within this warp, __syncwarp()) between"));
  EXPECT_THAT(said(Dialect::ours, 4),
              HasSubstr("__syncthreads() (or, within this warp, __syncwarp()) between"));
}

/// The same on the executor, in the dialect: partial sums, a fence, a ticket.
struct SumOfBlocks {
  bool fence;
  template <class T>
  __device__ void operator()(auto& t, Array<const T> in, Array<T> parts, auto ticket, Array<T> out) const {
    auto last = shared<T>(t, "last", 1);
    if (t.rank() == 0) {
      parts[t.block()] = in[t.block()];
      if (fence) t.fence();
      const auto drawn = atomic_add(ticket[0], 1);
      last[0] = int(drawn) == t.grid_size() - 1;
    }
    t.sync();
    const T mine = last[0];
    if (mine == 0) return;
    if (t.rank() < t.grid_size()) {
      const T part = parts[t.rank()];
      atomic_add(out[0], part);
    }
  }
};
TEST(Fences, LetTheLastBlockSumWhatAllHaveWritten) {
  for (const bool fence : {true, false}) {
    Gpu gpu({.kind = Schedule::lockstep});
    auto in = gpu.array("in", std::vector<int>{3, 1, 7, 0, 4});
    auto parts = gpu.array<int>("parts", 5), ticket = gpu.array<int>("ticket", 1),
         out = gpu.array<int>("out", 1);
    gpu.launch("sum", {5, 8}, SumOfBlocks{fence}, read_only(in), parts, ticket, out);
    EXPECT_EQ(gpu.values(out)[0], 15);
    const DataflowGraph f = replay_trace(gpu.trace);
    EXPECT_THAT(f.faults, IsEmpty());
    EXPECT_EQ(f.hazards.empty(), fence);
  }
}

}  // namespace
}  // namespace bscope
