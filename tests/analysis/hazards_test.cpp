#include "engine/analysis/hazards.hpp"

#include <gmock/gmock.h>

#include <set>

#include "engine/analysis/other_order.hpp"
#include "engine/analysis/proof.hpp"
#include "tests/analysis/hand_run.hpp"
#include "tests/messages.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

using test::HandRun;
using test::Value;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(Hazards, NameBothLinesBothThreadsTheCellAndTheMend) {
  HandRun run(64);
  const int s = run.shared("s", 64), out = run.global("out", std::vector<int32_t>(64));
  run.store(3, 7, s, 5, {0, 1});
  run.store(40, 9, out, 0, run.load(40, 8, s, 5));
  const DataflowGraph f = replay_trace(run.trace());
  ASSERT_THAT(f.hazards, SizeIs(1));
  const Hazard& h = f.hazards[0];
  EXPECT_THAT(h.lines, ElementsAre(7, 8));
  EXPECT_THAT(h.threads, ElementsAre(3, 40));
  EXPECT_EQ(h.place, (CellRef{s, 5}));
  EXPECT_EQ(h.array, "s");
  EXPECT_EQ(h.sentences().english(),
            "Thread 3 writes s[5] in line 7, thread 40 reads it in line 8, and nothing orders the two. Put "
            "__syncthreads() between line 7 and line 8.");
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
    const std::string text = replay_trace(run.trace()).hazards.at(0).sentences().english();
    return text.substr(text.find("Put __syncthreads()"));
  };
  EXPECT_EQ(fix(0), "Put __syncthreads() between line 4 and line 5.");
  EXPECT_EQ(fix(1), "Put __syncthreads() between line 4 and line 6.");
  EXPECT_EQ(fix(2), "Put __syncthreads() between line 6 and the next round's line 4.");
  EXPECT_EQ(fix(3), "Put __syncthreads() between line 6 and line 7.");
}

TEST(Hazards, SayWhetherALoopOrACallComesBackToALine) {
  const auto fix = [](const std::string& head, bool in_one_line) {
    HandRun run(64);
    const int s = run.shared("s", 64), out = run.global("out", {0});
    run.store(0, 9, out, 0, {});
    run.barrier(3);
    if (in_one_line) {
      for (int t = 0; t < 64; ++t) run.store(t, 4, s, t, {0, t});
      for (int t = 0; t < 64; ++t) run.load(t, 4, s, 63 - t);
    } else {
      run.load(33, 4, s, 0);
      run.load(0, 4, s, 1);
      run.store(33, 6, s, 2, {});
      run.load(33, 4, s, 1);
      run.load(0, 4, s, 2);
    }
    Trace t = run.trace();
    t.dialect = Dialect::cuda;
    t.sources[0].text = head + " {\n  x = 1;\n  __syncthreads();\n  x = s[t];\n  y = x;\n  s[t] = y;\n}\n";
    return replay_trace(t).hazards.at(0).sentences().english();
  };
  EXPECT_THAT(fix("for (;;)", false), HasSubstr("between line 6 and the next round's line 4."));
  EXPECT_THAT(fix("void add()", false), HasSubstr("between line 6 and the next call's line 4."));
  EXPECT_THAT(fix("for (;;)", true), HasSubstr("between two rounds of the loop around line 4."));
  EXPECT_THAT(fix("void add()", true), HasSubstr("between the write and the read of s in line 4."));
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
  EXPECT_THAT(replay_trace(run.trace()).hazards, IsEmpty());
}

TEST(Hazards, NeedAByteInCommon) {
  const auto found = [](uint8_t first, uint8_t second, bool fence) {
    HandRun run(64);
    const int s = run.shared("s", 1), g = run.global("g", {0});
    if (fence) run.fence(5, 1);  // threads are looked at one by one
    for (const int array : {s, g}) {
      run.part(0, 2, array, first);
      run.store(0, 2, array, 0, {});
      run.part(33, 3, array, second);
      run.store(33, 3, array, 0, {});
    }
    const Trace t = run.trace();
    EXPECT_EQ(replay_trace(t).hazards.size(), replay_in_order(t).hazards.size());
    return replay_trace(t).hazards.size();
  };
  for (const bool fence : {false, true}) {
    EXPECT_EQ(found(0b0011, 0b1100, fence), 0u);
    EXPECT_EQ(found(0b0011, 0b0010, fence), 2u);
    EXPECT_EQ(found(0b0001, whole_cell, fence), 2u);
  }
}

TEST(Hazards, ABarrierOrdersItsOwnBlockOnly) {
  HandRun run(2, 2);
  const int data = run.global("data", {0, 0});
  run.store(0, 2, data, 0, {0, 1});
  run.barrier(3, 0);
  run.barrier(3, 1);
  run.load(1, 4, data, 0);  // same block: ordered
  EXPECT_THAT(replay_trace(run.trace()).hazards, IsEmpty());
  HandRun apart(2, 2);
  const int other = apart.global("data", {0, 0});
  apart.store(0, 2, other, 0, {0, 1});
  apart.barrier(3, 0);
  apart.barrier(3, 1);
  apart.load(2, 4, other, 0);
  const DataflowGraph f = replay_trace(apart.trace());
  ASSERT_THAT(f.hazards, SizeIs(1));
  EXPECT_THAT(f.hazards[0].sentences().english(),
              AllOf(HasSubstr("Thread 0 of block 0"), HasSubstr("thread 0 of block 1"),
                    HasSubstr("Blocks do not wait for each other")));
}

TEST(Hazards, LaunchesAreOrdered) {
  HandRun run(1, 2);
  const int data = run.global("data", {0});
  run.store(0, 2, data, 0, {0, 1});
  run.next_launch("second");
  run.load(1, 3, data, 0);
  EXPECT_THAT(replay_trace(run.trace()).hazards, IsEmpty());
}

TEST(Hazards, AtomicsDoNotRaceWithEachOtherButWithPlainAccesses) {
  HandRun run(2);
  const int data = run.global("data", {0, 0});
  for (int t : {0, 1}) run.atomic(t, 2, Op::atomic_add, data, 0, {0, 1});
  EXPECT_THAT(replay_trace(run.trace()).hazards, IsEmpty());
  HandRun mixed(2);
  const int other = mixed.global("data", {0, 0});
  mixed.atomic(0, 2, Op::atomic_add, other, 0, {0, 1});
  mixed.load(1, 3, other, 0);
  const DataflowGraph f = replay_trace(mixed.trace());
  ASSERT_THAT(f.hazards, SizeIs(1));
  EXPECT_THAT(f.hazards[0].sentences().english(), HasSubstr(" between line 2 and line 3."));
}

/// "641 more in line 15."
std::string more_like(const Hazard& h) {
  if (h.alike <= 0) return {};
  const auto [from, to] = std::minmax(h.lines[0], h.lines[1]);
  return std::to_string(h.alike) + " more in line" +
         (from == to ? " " : "s " + std::to_string(from) + " and ") + std::to_string(to) + ".";
}

/// What is said of the first race.
std::string first_sentence(HandRun& run, const std::string& text = "", Dialect dialect = Dialect::cuda) {
  Trace t = run.trace();
  t.dialect = dialect;
  if (!text.empty()) t.sources[0].text = text;
  const DataflowGraph f = replay_trace(t);
  return f.hazards.empty() ? "" : f.hazards[0].sentences().english() + " " + more_like(f.hazards[0]);
}

TEST(Hazards, StoresOfOneValueAreNoneInCuda) {
  for (const bool same : {true, false}) {
    HandRun run(64);
    const int flag = run.shared("flag", 1);
    for (int t = 0; t < 64; ++t) run.store(t, 2, flag, 0, {0, same || t < 63 ? 1 : 2});
    for (const Dialect dialect : {Dialect::cuda, Dialect::ours}) {
      Trace t = run.trace();
      t.dialect = dialect;
      const DataflowGraph f = replay_trace(t);
      const bool harmless = same && dialect == Dialect::cuda;
      EXPECT_EQ(f.hazards_found == 0, harmless);
      EXPECT_EQ(f.hazards.empty(), harmless);
      EXPECT_EQ(f.same_value_stores.size(), harmless ? 1u : 0u);
    }
  }
}

/// Each thread adds its neighbour's cell to its own, all in line 2 of the source.
HandRun scan_in_place(int block, int rounds = 1) {
  HandRun run(block);
  const int s = run.shared("s", block);
  for (int t = 0; t < block; ++t) run.store(t, 1, s, t, {0, 1});
  run.barrier(1);
  for (int stride = 1, k = 0; k < rounds; stride *= 2, ++k)
    for (int t = stride; t < block; ++t)
      run.store(t, 2, s, t, run.add(t, 2, run.load(t, 2, s, t), run.load(t, 2, s, t - stride)));
  return run;
}

TEST(Cures, OfAScanInPlaceReadBeforeTheyWrite) {
  HandRun run = scan_in_place(64);
  EXPECT_EQ(
      first_sentence(run, "s[t] = 1;\n  if (t >= stride) s[t] += s[t - stride];  // s[0] = s[1]\n"),
      "Thread 2 reads s[1] in line 2 while thread 1 may be writing it. Read s[t - stride] into a variable, "
      "call __syncthreads() outside the if, then write s[t]. 61 more in line 2.");
  HandRun tabbed = scan_in_place(64);
  EXPECT_THAT(first_sentence(tabbed, "s[t] = 1;\n\tif(t >= stride) s[t] += s[t - stride];\n"),
              HasSubstr("call __syncthreads() outside the if, then write s[t]."));
  HandRun plain = scan_in_place(64);
  EXPECT_THAT(first_sentence(plain, "s[t] = 1;\n  s[t] = s[t] + s[t - 1] + s[t - 2];\n"),
              HasSubstr("Read the other's cell into a variable, call __syncthreads(), then write s[t]."));
  HandRun ours = scan_in_place(64);
  EXPECT_THAT(first_sentence(ours, "", Dialect::ours),
              HasSubstr("call __syncthreads(), then write the thread's own."));
}

TEST(Cures, NameTheWarpsBarrierOnlyWhereNoRaceLeavesAWarp) {
  HandRun small = scan_in_place(32), large = scan_in_place(33);
  const std::string guarded = "s[t] = 1;\n  if (t >= stride) s[t] += s[t - stride];\n";
  EXPECT_THAT(first_sentence(small, guarded),
              HasSubstr("__syncthreads() (or, within this warp, __syncwarp())"));
  EXPECT_THAT(first_sentence(large, guarded), Not(HasSubstr("__syncwarp")));
}

TEST(Cures, NameNoBarrierOfTheBlockInABranchOfAFewThreads) {
  HandRun run = scan_in_place(32);  // thread 0 does not come to line 2
  EXPECT_THAT(first_sentence(run, "s[t] = 1;\n  s[t] += s[t - stride];\n"),
              AllOf(HasSubstr("call __syncwarp(), then"), Not(HasSubstr("__syncthreads"))));
}

TEST(Cures, OfLinesThatShareOneAreTheBlocksIfOneOfThemIs) {
  HandRun run(64);
  const int near = run.shared("near", 64), far = run.shared("far", 64);
  for (int t = 0; t < 64; ++t) run.store(t, 2, near, t, {0, 1});
  for (int t = 0; t < 64; ++t) run.store(t, 3, far, t, {0, 1});
  for (int t = 0; t < 64; ++t) {
    run.load(t, 4, near, t ^ 1);
    run.load(t, 4, far, t ^ 32);
  }
  EXPECT_THAT(first_sentence(run), AllOf(HasSubstr("near"), Not(HasSubstr("__syncwarp"))));
}

TEST(Cures, OfALoopWithoutABarrierNameBoth) {
  HandRun run = scan_in_place(64, 2);
  EXPECT_THAT(first_sentence(run), HasSubstr("and call it again before the next round."));
}

TEST(Cures, NameAnAtomicOnlyWhereThreadsUpdateOneCell) {
  HandRun counts(64);
  const int n = counts.shared("n", 1);
  counts.store(0, 1, n, 0, {0, 0});
  counts.barrier(1);
  for (int t = 0; t < 64; ++t) counts.store(t, 2, n, 0, counts.load(t, 2, n, 0));
  EXPECT_THAT(first_sentence(counts), HasSubstr("Use an atomic, or give each thread a cell of its own"));
  HandRun in_two_lines(64);
  const int m = in_two_lines.shared("m", 1);
  in_two_lines.store(0, 1, m, 0, {0, 0});
  in_two_lines.barrier(1);
  for (int t = 0; t < 64; ++t) in_two_lines.store(t, 3, m, 0, in_two_lines.load(t, 2, m, 0));
  EXPECT_THAT(first_sentence(in_two_lines), HasSubstr("Use an atomic"));  // a barrier loses updates, too
  HandRun flags(64);
  const int found = flags.shared("found", 1);
  for (int t = 0; t < 64; ++t) flags.store(t, 2, found, 0, {0, t});
  EXPECT_THAT(first_sentence(flags), AllOf(HasSubstr("Let one thread write"), Not(HasSubstr("atomic"))));
}

TEST(Cures, NameNoAtomicWhereOtherCellsGoIntoTheSum) {
  HandRun tree(64);  // the barrier between two levels is missing, and a cell has another owner in each
  const int s = tree.shared("s", 64);
  for (int t = 0; t < 64; ++t) tree.store(t, 1, s, t, {0, 1});
  tree.barrier(1);
  for (int level : {0, 1})
    for (int t = 0; t < 32; ++t) {
      const Value left = tree.load(t, 3, s, t), right = tree.load(t, 4, s, t ^ (1 << level));
      tree.store(t, 5, s, t, tree.add(t, 5, left, right));
    }
  EXPECT_THAT(first_sentence(tree), AllOf(HasSubstr(" between line"), Not(HasSubstr("atomic"))));
}

TEST(OtherOrders, AddFaultsThatNoRaceExplains) {
  const auto ran = [](bool ahead) {
    HandRun run(2);
    const int s = run.shared("s", 3), out = run.global("out", {0});
    run.store(0, 9, out, 0, {});
    if (ahead) {
      run.load(0, 2, s, 1);  // what thread 1 is about to write
      run.load(0, 3, s, 2);  // what no thread writes
    }
    run.store(1, 1, s, 1, {0, 7});
    if (!ahead) run.load(0, 2, s, 1);
    return run.trace();
  };
  const Trace first = ran(true), second = ran(false);
  const OtherOrder shown = shown_by(first, replay_trace(first));
  EXPECT_THAT(shown.faults, SizeIs(2));
  DataflowGraph flow = replay_trace(second);
  unite(second, flow, shown);
  EXPECT_THAT(flow.hazards, SizeIs(1));
  EXPECT_THAT(texts(flow.faults), ElementsAre(HasSubstr("s[2]")));
}

TEST(OtherOrders, AddNoFaultOfALineThatIsKnown) {
  const auto ran = [](int cell) {
    HandRun run(2);
    const int s = run.shared("s", 3), out = run.global("out", {0});
    run.store(0, 9, out, 0, {});
    run.load(0, 2, s, cell);  // what no thread writes
    return run.trace();
  };
  const Trace first = ran(1), second = ran(2);
  DataflowGraph flow = replay_trace(second);
  unite(second, flow, shown_by(first, replay_trace(first)));
  EXPECT_THAT(texts(flow.faults), ElementsAre(HasSubstr("s[2]")));
}

TEST(Cures, BesideAnAtomicFitWhatThePlainAccessDoes) {
  HandRun scan(64);  // atomicAdd(&s[t], s[t - 1]);
  const int s = scan.shared("s", 64);
  for (int t = 0; t < 64; ++t) scan.store(t, 1, s, t, {0, 1});
  scan.barrier(1);
  for (int t = 1; t < 64; ++t) scan.atomic(t, 2, Op::atomic_add, s, t, scan.load(t, 2, s, t - 1));
  EXPECT_THAT(first_sentence(scan, "s[t] = 1;\n  atomicAdd(&s[t], s[t - 1]);\n"),
              AllOf(HasSubstr("Read s[t - 1] into a variable, call __syncthreads(), then write s[t]."),
                    Not(HasSubstr("an atomic too"))));
  HandRun tickets(2);
  const int count = tickets.global("count", {0});
  for (int t : {0, 1}) {
    tickets.atomic(t, 2, Op::atomic_add, count, 0, {0, 1});
    tickets.load(t, 3, count, 0);
  }
  EXPECT_THAT(first_sentence(tickets), HasSubstr("Use the value that the atomic in line 2 returns"));
  HandRun bins(2);  // atomicAdd(&bin[key[t]], 1), then bin[t]
  const int key = bins.global("key", {0, 0}), bin = bins.global("bin", {0, 0});
  for (int t : {0, 1}) {
    const Value of = bins.load(t, 1, key, t), one = bins.constant(t, 2, 1);
    bins.address(t, 2, bin, of);
    bins.atomic(t, 2, Op::atomic_add, bin, 0, one);
  }
  bins.load(0, 3, bin, 0);
  EXPECT_THAT(first_sentence(bins), HasSubstr("__syncwarp()) between line 2 and line 3"));
  HandRun counts(2);
  const int n = counts.global("n", {0});
  counts.atomic(0, 2, Op::atomic_add, n, 0, {0, 1});
  counts.store(1, 3, n, 0, counts.load(1, 3, n, 0));
  EXPECT_THAT(first_sentence(counts), HasSubstr("Make the access in line 3 an atomic, too"));
  HandRun apart(1, 2);
  const int total = apart.global("total", {0});
  apart.atomic(0, 2, Op::atomic_add, total, 0, {0, 1});
  apart.load(1, 3, total, 0);
  EXPECT_THAT(first_sentence(apart), HasSubstr("put line 3 into a launch of its own"));
}

TEST(Cures, FitAllRacesOfTheirLines) {
  HandRun run(64);  // the barrier at the loop's head is missing, and the one in it
  const int s = run.shared("s", 64), out = run.global("out", {0});
  run.store(0, 1, out, 0, {});
  for (int round : {0, 1})
    for (int t = 0; t < 64; ++t) {
      run.store(t, 2, s, t, {0, round});
      run.load(t, 3, s, 63 - t);
    }
  EXPECT_THAT(first_sentence(run), HasSubstr(" between line 2 and line 3, and between line 3 and the "
                                             "next round's line 2."));
}

/// Both threads do what the programming guide does for an atomic that is missing.
TEST(Hazards, OfAReadThatFoundNothingToSwapAreNone) {
  for (const bool kept : {false, true}) {
    HandRun run(1, 2);
    const int cell = run.global("cell", {1}), out = run.global("out", {0});
    const Value first = run.load(0, 3, cell, 0);
    run.branch(0, 3, first);
    run.swap(0, 5, cell, 0, first, run.constant(0, 5, 7));
    const Value second = run.load(1, 3, cell, 0);  // it may still hold 1: the thread has no more than 1
    run.branch(1, 3, second);
    if (kept) run.store(1, 6, out, 0, second);
    const Trace t = run.trace();
    EXPECT_EQ(replay_trace(t).hazards_found, kept ? 1u : 0u);
  }
}

TEST(Hazards, AReadThatACompareAndSwapChecksDoesNoHarmBesideAtomics) {
  struct Variant {
    bool expects = true;       // what it has read
    bool converted = false;    // through a conversion that keeps the bits
    bool same_cell = true;     // the swap is of the cell that was read
    bool plain_write = false;  // a thread writes the cell without an atomic
  };
  const auto found = [](Variant v, int grid) {
    HandRun run(2 / grid, grid);
    const int cell = run.global("cell", {5, 5});
    std::vector<Value> guess;
    for (int t : {0, 1}) guess.push_back(run.load(t, 3, cell, 0));
    for (int t : {0, 1}) {
      Value expected = v.expects ? guess[size_t(t)] : Value{0, 5};
      if (v.converted) expected = run.convert(t, 4, expected);
      const int swapped = v.same_cell ? 0 : 1;
      const Value seen = run.swap(t, 5, cell, swapped, expected, run.add(t, 5, expected, {0, 1 + t}));
      if (seen.bits != expected.bits) run.swap(t, 5, cell, swapped, seen, run.add(t, 5, seen, {0, 1 + t}));
    }
    if (!v.same_cell) run.atomic(0, 6, Op::atomic_add, cell, 0, {0, 1});
    if (v.plain_write) run.store(1, 7, cell, 0, {});
    std::set<std::pair<int, int>> lines;
    for (const Hazard& h : replay_trace(run.trace()).hazards) lines.insert({h.lines[0], h.lines[1]});
    return lines;
  };
  for (const int grid : {1, 2}) {
    EXPECT_THAT(found({}, grid), IsEmpty());
    EXPECT_THAT(found({.converted = true}, grid), IsEmpty());
    EXPECT_THAT(found({.expects = false}, grid), ElementsAre(std::pair(3, 5)));
    EXPECT_THAT(found({.same_cell = false}, grid), ElementsAre(std::pair(3, 6)));
    EXPECT_THAT(found({.plain_write = true}, grid), ElementsAre(std::pair(3, 7)));
  }
}

/// The thread that draws the last ticket puts the counter back.
TEST(Hazards, AWriteBehindAnAtomicOfItsCellComesBehindAllThatTheAtomicFoundThere) {
  struct Variant {
    bool draws = true;    // the writer draws a ticket before
    bool late = false;    // a thread draws one afterwards, before it writes
    bool spoilt = false;  // a plain write stands between the others' tickets and its own
    bool other = false;   // another thread of its block writes, behind a barrier
  };
  const auto found = [](Variant v, bool fences) {
    HandRun run(2, 3);
    const int counter = run.global("counter", {0});
    const auto draw = [&](int t) { run.atomic(t, 4, Op::atomic_inc, counter, 0, {0, 2}); };
    if (fences) run.fence(0, 3);
    draw(0);
    draw(2);
    if (v.spoilt) run.store(4, 5, counter, 0, {0, 2});
    if (v.draws) draw(4);
    if (v.late) draw(3);
    if (v.other) run.barrier(6, 2);
    run.store(v.other ? 5 : 4, 7, counter, 0, {});
    std::set<std::pair<int, int>> lines;
    for (const Hazard& h : replay_trace(run.trace()).hazards) lines.insert({h.lines[0], h.lines[1]});
    return lines;
  };
  for (const bool fences : {false, true}) {
    EXPECT_THAT(found({}, fences), IsEmpty());
    EXPECT_THAT(found({.other = true}, fences), IsEmpty());
    EXPECT_THAT(found({.draws = false}, fences), ElementsAre(std::pair(4, 7)));
    EXPECT_THAT(found({.late = true}, fences), ElementsAre(std::pair(4, 7)));
    EXPECT_THAT(found({.spoilt = true}, fences), ElementsAre(std::pair(4, 5), std::pair(4, 7)));
  }
}

TEST(Hazards, SyncWarpOrdersTheLanesOfItsMaskOnly) {
  auto run = [](int reader, uint32_t mask, int lanes) {
    HandRun r(64);
    const int s = r.shared("s", 1);
    r.store(2, 2, s, 0, {0, 1});
    r.sync_warp(0, lanes, 3, mask);
    if (reader >= lanes) r.sync_warp(reader, 1, 3, 1u << reader % 32);
    r.load(reader, 4, s, 0);
    return replay_trace(r.trace()).hazards.size();
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
  const DataflowGraph f = replay_trace(r.trace());
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
    EXPECT_THAT(replay_trace(r.trace()).hazards, SizeIs(seen ? 0 : 2)) << seen;
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
  const DataflowGraph f = replay_trace(run.trace());
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
  EXPECT_THAT(replay_trace(run.trace()).hazards, SizeIs(1));
}

TEST(Hazards, AreListedByLinesFirstAndAtMost64) {
  HandRun run(256);
  const int data = run.global("data", std::vector<int32_t>(256));
  for (int t = 0; t < 256; ++t) run.store(t, 2, data, 0, {0, t});
  run.store(0, 3, data, 255, {});
  run.load(1, 4, data, 255);
  const DataflowGraph f = replay_trace(run.trace());
  EXPECT_GE(f.hazards_found, 255u);
  EXPECT_LE(f.hazards.size(), 64u);
  EXPECT_THAT(f.hazards[0].lines, ElementsAre(2, 2));
  EXPECT_THAT(f.hazards[1].lines, ElementsAre(3, 4));
  EXPECT_THAT(f.hazards[0].sentences().english(),
              HasSubstr("Let one thread write the cell, or give each thread a cell of its own"));
}

/// Random runs of a few threads, cells and barriers, and every pair of their accesses compared with every
/// other, by the rules as docs/hazards.md has them.
class RandomRun {
 public:
  explicit RandomRun(uint32_t seed)
      : random_(seed),
        block_(1 + below(40)),
        grid_(1 + below(3)),
        run_(block_, grid_),
        last_(size_t(6 * grid_)) {
    std::fill(last_.begin(), last_.end(), -1);
    shared_ = run_.shared("s", 3);
    global_ = run_.global("g", {0, 0, 0});
    interval_.resize(size_t(grid_));
    if (below(2)) run_.fence(0, 9);  // threads are looked at one by one
    for (int step = 0; step < 30; ++step) act(step);
  }
  Trace trace() { return run_.trace(); }
  std::set<std::tuple<int, int, int>> races() const {
    std::set<std::tuple<int, int, int>> all;
    for (size_t y = 0; y < all_.size(); ++y)
      for (size_t x = 0; x < y; ++x)
        if (race(int(x), int(y)))
          all.insert(
              {all_[x].array, std::min(all_[x].line, all_[y].line), std::max(all_[x].line, all_[y].line)});
    return all;
  }

 private:
  struct Access {
    int thread, array, index, line, interval;
    bool writes, atomic;
    int from;                    // atomic: the access that wrote what it found, -1: none
    bool guess = false;          // a load that a compare-and-swap checks
    uint8_t bytes = whole_cell;  // that it touches
  };
  uint32_t random_;
  int block_, grid_;
  HandRun run_;
  int shared_ = 0, global_ = 0;
  std::vector<Access> all_;
  std::vector<int> last_, interval_;  // the access that wrote each cell last; of each block

  int below(uint32_t n) {
    random_ = random_ * 1664525u + 1013904223u;
    return int((random_ >> 8) % n);
  }
  int block_of(const Access& a) const { return a.thread / block_; }
  int& last(const Access& a) {
    return last_[size_t(a.array == global_ ? a.index : 3 + 3 * block_of(a) + a.index)];
  }
  void act(int step) {
    const int t = few(), b = t / block_;
    if (below(6) == 0) {
      run_.barrier(90, b);
      ++interval_[size_t(b)];
      return;
    }
    Access a{t, below(2) ? shared_ : global_, below(3), 10 + below(6), interval_[size_t(b)], false, false,
             -1};
    switch (below(6)) {
      case 0:
        touch_part(a);
        run_.store(t, a.line, a.array, a.index, {0, step});
        a.writes = true;
        return keep(a);
      case 1:
      case 2:
        run_.atomic(t, a.line, Op::atomic_add, a.array, a.index, {0, 1});
        a.writes = a.atomic = true;
        return keep(a);
      case 3: return swap(a);
      default:
        touch_part(a);
        run_.load(t, a.line, a.array, a.index);
        return keep(a);
    }
  }
  /// Sometimes an access is narrower than its cell.
  void touch_part(Access& a) {
    if (below(3)) return;
    a.bytes = uint8_t(below(2) ? 3 << 2 * below(2) : 1 << below(4));
    run_.part(a.thread, a.line, a.array, a.bytes);
  }
  /// A load, and a compare-and-swap that expects what it found, or something else.
  void swap(Access a) {
    const Value found = run_.load(a.thread, a.line, a.array, a.index);
    const bool checks = below(2);
    a.guess = checks;
    keep(a);
    a.guess = false;
    a.line = 10 + below(6);
    a.atomic = true;
    a.writes = checks;
    run_.swap(a.thread, a.line, a.array, a.index, checks ? found : Value{0, -1}, {0, 1});
    keep(a);
  }
  /// One of the first threads of a block, mostly, so that they meet.
  int few() {
    return below(uint32_t(grid_)) * block_ + below(uint32_t(below(2) ? block_ : std::min(block_, 3)));
  }
  void keep(Access a) {
    if (a.atomic) a.from = last(a);
    if (a.writes) last(a) = int(all_.size());
    all_.push_back(a);
  }

  bool same_bytes(const Access& p, const Access& q) const { return same_cell(p, q) && (p.bytes & q.bytes); }
  bool same_cell(const Access& p, const Access& q) const {
    return p.array == q.array && p.index == q.index && (p.array != shared_ || block_of(p) == block_of(q));
  }
  bool ordered(const Access& p, const Access& q) const {
    return p.thread == q.thread || (block_of(p) == block_of(q) && p.interval != q.interval);
  }
  /// Whether an atomic that comes before q says that the atomic x came before it.
  bool settled(int x, int y) const {
    for (int k = 0; k < y; ++k) {
      const Access& told = all_[size_t(k)];
      if (!told.atomic || !same_cell(told, all_[size_t(y)]) || !ordered(told, all_[size_t(y)])) continue;
      for (int from = told.from; from >= 0 && all_[size_t(from)].atomic; from = all_[size_t(from)].from)
        if (from == x) return true;
    }
    return false;
  }
  bool race(int x, int y) const {
    const Access &p = all_[size_t(x)], &q = all_[size_t(y)];
    if (!same_bytes(p, q) || !(p.writes || q.writes) || (p.atomic && q.atomic) || ordered(p, q)) return false;
    if ((p.guess && q.atomic) || (q.guess && p.atomic)) return false;
    return !(p.atomic && p.writes && settled(x, y));
  }
};

TEST(Hazards, AgreeWithComparingAllPairs) {
  size_t races = 0, clean = 0;
  for (uint32_t trial = 0; trial < test::all_or_part(1500u, 400u); ++trial) {
    RandomRun run(12345 + 7919 * trial);
    const std::set<std::tuple<int, int, int>> want = run.races();
    std::set<std::tuple<int, int, int>> got;
    const Trace t = run.trace();
    const DataflowGraph f = replay_trace(t);
    for (const Hazard& h : find_hazards(t, f, 0, 0, 4096).list)
      got.insert({h.place.array, std::min(h.lines[0], h.lines[1]), std::max(h.lines[0], h.lines[1])});
    ASSERT_EQ(got, want) << "trial " << trial;
    ASSERT_EQ(f.hazards.empty(), want.empty());
    ++(want.empty() ? clean : races);
  }
  EXPECT_GT(races, test::all_or_part(100u, 25u));
  EXPECT_GT(clean, test::all_or_part(10u, 2u));
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
  const auto all = barriers(t, replay_trace(t));
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_TRUE(all[0].needed);
  EXPECT_THAT(all[0].message.english(),
              AllOf(HasSubstr("line 3"), HasSubstr("s[1]"), HasSubstr("line 2"), HasSubstr("line 4")));
  EXPECT_FALSE(all[1].needed);
  EXPECT_THAT(all[1].message.english(), HasSubstr("line 5 alone could be left out"));
}

}  // namespace
}  // namespace bscope
