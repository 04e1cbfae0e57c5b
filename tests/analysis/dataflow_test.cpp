// Arrows, content, why, work and proof: what follows from where each value came from.
#include <gmock/gmock.h>

#include "engine/analysis/arrows.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/why.hpp"
#include "engine/analysis/work.hpp"
#include "tests/analysis/hand_run.hpp"

namespace bscope {
namespace {

using test::HandRun;
using test::Value;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int data = 0, sum = first_shared;

/// Exclusive scan of two numbers as Blelloch does it, by one thread.
Trace two_scanned(bool wrong = false) {
  HandRun run(1);
  run.global("data", {11, 14});
  run.shared("sum", 2);
  for (int k : {0, 1}) run.store(0, 2, sum, k, run.load(0, 2, data, k));
  run.barrier(3);
  run.phase(0, 4, "up-sweep");
  const Value left = run.load(0, 5, sum, 0), right = run.load(0, 5, sum, 1);
  run.store(0, 5, sum, 1, run.add(0, 5, left, right));
  run.barrier(6);
  run.phase(0, 7, "clear");
  run.store(0, 8, sum, 1, {0, 0});
  run.barrier(9);
  run.phase(0, 10, "down-sweep");
  const Value before = run.load(0, 11, sum, 0);
  run.store(0, 12, sum, 0, run.load(0, 12, sum, 1));
  const Value root = run.load(0, 13, sum, 1);
  run.store(0, 13, sum, 1, wrong ? run.add(0, 13, before, before) : run.add(0, 13, root, before));
  run.barrier(14);
  for (int k : {0, 1}) run.store(0, 15, data, k, run.load(0, 15, sum, k));
  Trace t = run.trace();
  t.property = Property::exclusive_scan;
  return t;
}

TEST(Arrows, GoFromTheCellsAValueWasComputedFrom) {
  const Trace t = two_scanned();
  const DataflowGraph f = replay_trace(t);
  const auto up = arrows(f, f.intervals[1]);
  ASSERT_THAT(up, SizeIs(1));
  EXPECT_EQ(up[0].to, (CellRef{sum, 1}));
  EXPECT_THAT(up[0].from, ElementsAre(CellRef{sum, 0}, CellRef{sum, 1}));
  EXPECT_EQ(up[0].op, "add");
  EXPECT_EQ(up[0].line, 5);
  EXPECT_EQ(f.nodes[up[0].loads[1]].place, (CellRef{sum, 1}));
  const auto clear = arrows(f, f.intervals[2]);
  ASSERT_THAT(clear, SizeIs(1));
  EXPECT_THAT(clear[0].from, IsEmpty());
  EXPECT_EQ(clear[0].op, "constant");
  const auto down = arrows(f, f.intervals[3]);
  ASSERT_THAT(down, SizeIs(2));
  EXPECT_EQ(down[0].op, "copy");
  EXPECT_THAT(down[0].from, ElementsAre(CellRef{sum, 1}));
  EXPECT_EQ(down[1].op, "add");
  EXPECT_THAT(down[1].from, ElementsAre(CellRef{sum, 0}, CellRef{sum, 1}));
}

TEST(Arrows, ComeFromWhereverTheCellWasLoaded) {
  HandRun run(2);  // Kogge-Stone: load, meet, store
  const int s = run.shared("s", 2);
  run.global("data", {1});
  for (int t : {0, 1}) run.store(t, 2, s, t, {0, t});
  run.barrier(3);
  const Value left = run.load(1, 4, s, 0);
  run.barrier(5);
  run.store(1, 6, s, 1, run.add(1, 6, left, run.load(1, 6, s, 1)));
  const DataflowGraph f = replay_trace(run.trace());
  const auto last = arrows(f, f.intervals[2]);
  ASSERT_THAT(last, SizeIs(1));
  EXPECT_THAT(last[0].from, ElementsAre(CellRef{s, 0}, CellRef{s, 1}));
}

TEST(Arrows, SayWhichLanesGaveAndWhatAtomicsDo) {
  HandRun run(2);
  const int in = run.global("in", {1, 2}), out = run.global("out", {0, 0});
  const Value a = run.load(0, 2, in, 0);
  const Value b = run.load(1, 2, in, 1);
  const Value got = run.shuffle(0, 3, 1, b);
  run.store(0, 4, out, 0, run.mul(0, 4, a, run.add(0, 4, a, got)));
  run.atomic(1, 5, Op::atomic_add, out, 1, b);
  run.atomic(1, 6, Op::atomic_exch, out, 1, a.bits ? run.load(1, 6, in, 0) : Value{});
  const DataflowGraph f = replay_trace(run.trace());
  const auto all = arrows(f, f.intervals[0]);
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[0].op, "other");
  EXPECT_THAT(all[0].from, ElementsAre(CellRef{in, 0}, CellRef{in, 1}));
  EXPECT_THAT(all[0].lanes, ElementsAre(1));
  EXPECT_EQ(all[1].op, "add");
  EXPECT_THAT(all[1].from, ElementsAre(CellRef{in, 1}, CellRef{out, 1}));
  EXPECT_EQ(all[2].op, "copy");
  EXPECT_THAT(all[2].from, ElementsAre(CellRef{in, 0}));
}

TEST(Content, IsTheWordOfInputsThatACellHolds) {
  const Trace t = two_scanned();
  const DataflowGraph f = replay_trace(t);
  const auto w = words(t, f);
  auto texts = [&](int interval) {
    std::vector<std::string> all;
    const auto arrays = content(t, f, w, f.intervals[size_t(interval)]);
    for (const Word& word : arrays[0]) all.push_back(word.text());
    return all;
  };
  EXPECT_THAT(texts(0), ElementsAre("x0", "x1"));
  EXPECT_THAT(texts(1), ElementsAre("x0", "x0..x1"));
  EXPECT_THAT(texts(2), ElementsAre("x0", "identity"));
  EXPECT_THAT(texts(3), ElementsAre("identity", "x0"));
}

TEST(Content, JoinsRunsAndKeepsTheirOrder) {
  const Word a{true, {{0, 3}}}, b{true, {{4, 5}}}, none{true, {}};
  EXPECT_EQ(join(a, b).text(), "x0..x5");
  EXPECT_EQ(join(b, a).text(), "x4..x5 x0..x3");
  EXPECT_EQ(join(join(b, a), b).text(), "x4..x5 x0..x5");
  EXPECT_EQ(join(none, a), a);
  EXPECT_EQ(join(a, none), a);
  EXPECT_EQ(none.text(), "identity");
  EXPECT_FALSE(join(a, Word{}).known);
  EXPECT_EQ(Word{}.text(), "");
  EXPECT_FALSE(join(a, Word{true, {{4, 4}}, 2}).known);
}

TEST(Content, OfAMaximumStartsFromTheLowestNumber) {
  HandRun run(1);
  run.global("data", {3, -4});
  const Value low = run.constant(0, 2, INT32_MIN);
  run.store(0, 4, data, 0,
            run.max(0, 3, run.max(0, 3, low, run.load(0, 3, data, 0)), run.load(0, 3, data, 1)));
  Trace t = run.trace();
  t.parameters = {{"operator", "max"}};
  EXPECT_EQ(final_word(t, replay_trace(t), words(t, replay_trace(t)), {data, 0}).text(), "x0..x1");
  t.parameters = {};
  EXPECT_EQ(final_word(t, replay_trace(t), words(t, replay_trace(t)), {data, 0}).text(), "");
}

TEST(Content, OfValuesThatDoubleForeverStaysSmall) {
  HandRun run(1);
  run.global("data", {1, 2});
  Value v = run.load(0, 2, data, 1);
  for (int k = 0; k < 60; ++k) v = run.add(0, 3, Value{v.source, 0}, Value{v.source, 0});
  run.store(0, 4, data, 0, v);
  const Trace t = run.trace();
  const Report r = analyse(t);
  EXPECT_EQ(final_word(t, r.flow, r.words(), {data, 0}).text(), "");
  EXPECT_THAT(arrows(r.flow, r.flow.intervals[0])[0].from, SizeIs(1));
  EXPECT_EQ(r.span(), 60);
  EXPECT_LT(sentence(why(t, r.flow, r.words(), r.flow.intervals[0], {data, 0})).size(), 20000u);
}

TEST(Why, IsATreeWithASentence) {
  const Trace t = two_scanned();
  const DataflowGraph f = replay_trace(t);
  const auto w = words(t, f);
  const Why up = why(t, f, w, f.intervals[1], {sum, 1});
  EXPECT_EQ(up.cell, "sum[1]");
  EXPECT_EQ(up.value, "25");
  EXPECT_EQ(up.op, "add");
  EXPECT_EQ(up.word, "x0..x1");
  EXPECT_EQ(up.line, 5);
  ASSERT_THAT(up.from, SizeIs(2));
  EXPECT_EQ(up.from[0].cell, "sum[0]");
  EXPECT_EQ(up.from[0].value, "11");
  EXPECT_THAT(up.from[0].from, IsEmpty());
  EXPECT_EQ(sentence(up), "Thread 0: sum[1] = 11 + 14 = 25, read from sum[0] and sum[1].");
  EXPECT_EQ(sentence(why(t, f, w, f.intervals[2], {sum, 1})),
            "Thread 0: sum[1] = 0, not computed from cells: a constant, an index or a count.");
  EXPECT_EQ(sentence(why(t, f, w, f.intervals[3], {sum, 0})), "Thread 0: sum[0] = 0, read from sum[1].");
  EXPECT_EQ(sentence(why(t, f, w, f.intervals[0], {data, 1})), "data[1] = 14, an input.");
  EXPECT_EQ(sentence(why(t, f, w, f.intervals[4], {data, 1})), "Thread 0: data[1] = 11, read from sum[1].");
}

TEST(Why, GoesBackAsManyStoresAsAsked) {
  const Trace t = two_scanned();
  const DataflowGraph f = replay_trace(t);
  const Why deep = why(t, f, words(t, f), f.intervals[4], {data, 1}, 9);
  const Why* w = &deep;
  std::vector<std::string> ops{w->op};
  while (!w->from.empty()) ops.push_back((w = &w->from.back())->op);
  EXPECT_EQ(w->op, "given");
  EXPECT_EQ(w->cell, "data[0]");
  EXPECT_EQ(w->value, "11");
  EXPECT_GE(ops.size(), 4u);
}

// A branch of a loop may have no line of its own; the condition's is named then.
TEST(Why, OfACountNamesTheBranchesThatDecidedIt) {
  for (const int line : {8, 0}) {
    HandRun run(2);
    const int data = run.global("data", {3, 4}), counts = run.global("counts", {0, 0});
    for (int t = 0; t < 2; ++t) run.branch(t, line, run.load(t, 8, data, t));
    run.store(0, 11, counts, 0, {0, 7});
    const Trace t = run.trace();
    const DataflowGraph f = replay_trace(t);
    EXPECT_EQ(sentence(why(t, f, words(t, f), f.intervals[0], {counts, 0})),
              "Thread 0: counts[0] = 7, chosen by conditions on data, the last of them in line 8.");
  }
}

TEST(Why, TellsOfAtomicsAndOfCellsNeverWritten) {
  HandRun run(1);
  const int bins = run.global("bins", {4}), s = run.shared("s", 1);
  run.atomic(0, 3, Op::atomic_add, bins, 0, {0, 1});
  const Trace t = run.trace();
  const DataflowGraph f = replay_trace(t);
  const auto w = words(t, f);
  EXPECT_EQ(sentence(why(t, f, w, f.intervals[0], {bins, 0})),
            "Thread 0: bins[0] = 4 + 1 = 5, in one step that nothing can come between, read from bins[0].");
  EXPECT_EQ(sentence(why(t, f, w, f.intervals[0], {s, 0})), "s[0] was never written.");
}

TEST(Ancestry, IsEveryAccessThatWentIntoAValue) {
  const Trace t = two_scanned();
  const DataflowGraph f = replay_trace(t);
  std::vector<std::string> cells;
  for (int k : ancestry(f, final_holder(f, {data, 1})))
    cells.push_back(std::string(name_of(f.nodes[k].op)) + " " + cell_name(t, 0, f.nodes[k].place));
  EXPECT_THAT(cells, ElementsAre("load data[0]", "store sum[0]", "store sum[1]", "load sum[0]", "load sum[1]",
                                 "store sum[1]", "load sum[1]", "store data[1]"));
  EXPECT_THAT(ancestry(f, -1), IsEmpty());
}

TEST(Work, CountsByOperation) {
  HandRun run(2);
  const int out = run.global("out", {0, 0});
  const Value x = run.load(0, 2, out, 0);
  run.store(0, 3, out, 1, run.mul(0, 3, run.add(0, 3, x, x), x));
  for (int t : {0, 1}) run.atomic(t, 4, Op::atomic_add, out, 0, {0, 1});
  const Trace t = run.trace();
  const DataflowGraph f = replay_trace(t);
  EXPECT_THAT(work(f).by_op,
              ElementsAre(std::pair("add", 1), std::pair("atomic_add", 2), std::pair("multiply", 1)));
  EXPECT_EQ(work(f).adds, 1);
  EXPECT_EQ(work(f, f.intervals[0]).adds, 1);
  EXPECT_EQ(span(f), 2);
}

TEST(Span, IsTheLongestChainThroughMemory) {
  const DataflowGraph f = replay_trace(two_scanned());
  EXPECT_EQ(span(f), 1);  // the clear cuts the second add off from the first
  HandRun run(1);
  run.global("data", {1});
  for (int k = 0; k < 5; ++k)
    run.store(0, 2, data, 0, run.add(0, 2, run.load(0, 2, data, 0), run.load(0, 2, data, 0)));
  EXPECT_EQ(span(replay_trace(run.trace())), 5);
}

Proof proof(const Trace& t) {
  const DataflowGraph f = replay_trace(t);
  return prove(t, f, words(t, f));
}

TEST(Proof, HoldsForAnyAssociativeOperatorWhereTheOrderIsKept) {
  const Proof p = proof(two_scanned());
  EXPECT_TRUE(p.applies);
  EXPECT_TRUE(p.holds) << p.message.english();
  EXPECT_EQ(p.operators, "associative");
  EXPECT_THAT(p.message.english(), HasSubstr("any associative operator"));
}

TEST(Proof, NamesTheFirstWordThatIsWrong) {
  const Proof p = proof(two_scanned(true));
  EXPECT_FALSE(p.holds);
  EXPECT_EQ(p.operators, "");
  EXPECT_EQ(p.message.english(), "data[1] also contains x0; line 15 wrote it last.");
}

TEST(Proof, NamesRangesOfWhatIsMissingAndOfWhatIsTooMuch) {
  const auto sentence = [](bool missing, bool extra) {
    HandRun run(1);
    const int in = run.global("in", std::vector<int32_t>(1000)), out = run.global("out", {0});
    Value sum = run.load(0, 3, in, 0);
    for (int i = 1; i < (missing ? 896 : 1000); ++i) sum = run.add(0, 4, sum, run.load(0, 4, in, i));
    for (int i = 10; extra && i < 500; i += i == 100 ? 2 : 1) sum = run.add(0, 5, sum, run.load(0, 5, in, i));
    run.store(0, 7, out, 0, sum);
    Trace t = run.trace();
    t.property = Property::reduction;
    t.input = in;
    t.output = out;
    return proof(t).message.english();
  };
  EXPECT_EQ(sentence(true, false), "out[0] lacks x896..x999; line 7 wrote it last.");
  EXPECT_EQ(sentence(false, true), "out[0] also contains x10..x100 and x102..x499; line 7 wrote it last.");
  EXPECT_EQ(sentence(true, true),
            "out[0] lacks x896..x999 and also contains x10..x100 and x102..x499; line 7 wrote it last.");
}

TEST(Proof, AsksForACommutativeOperatorWhereTheOrderChanges) {
  HandRun run(1);
  const int in = run.global("in", {1, 2}), out = run.global("out", {0});
  const Value a = run.load(0, 2, in, 0), b = run.load(0, 2, in, 1);
  run.store(0, 3, out, 0, run.add(0, 3, b, a));
  Trace t = run.trace();
  t.property = Property::reduction;
  t.output = out;
  EXPECT_EQ(proof(t).operators, "commutative");
  // Two threads whose atomics nothing orders: this order came by chance.
  HandRun two(2);
  const int in2 = two.global("in", {1, 2}), out2 = two.global("out", {0});
  for (int k : {0, 1}) two.atomic(k, 3, Op::atomic_add, out2, 0, two.load(k, 2, in2, k));
  Trace u = two.trace();
  u.property = Property::reduction;
  u.output = out2;
  EXPECT_EQ(proof(u).operators, "commutative");
  HandRun one(1);
  const int in3 = one.global("in", {1}), out3 = one.global("out", {0});
  one.atomic(0, 3, Op::atomic_add, out3, 0, one.load(0, 2, in3, 0));
  Trace v = one.trace();
  v.property = Property::reduction;
  v.output = out3;
  EXPECT_EQ(proof(v).operators, "associative");
}

TEST(Proof, FailsWhereTheDataSteer) {
  for (int how : {0, 1}) {
    HandRun run(1);
    const int in = run.global("in", {1}), out = run.global("out", {0, 0});
    const Value x = run.load(0, 2, in, 0);
    if (how == 0) run.branch(0, 3, x);
    if (how == 1) run.address(0, 3, out, x);
    run.store(0, 3, out, 0, x);
    Trace t = run.trace();
    t.property = Property::reduction;
    t.output = out;
    const Proof p = proof(t);
    EXPECT_FALSE(p.holds);
    EXPECT_THAT(p.message.english(),
                HasSubstr(how == 0 ? "choose a branch in line 3" : "choose an address in line 3"));
  }
}

TEST(Proof, FailsWithAHazardOrAFinding) {
  HandRun run(2);
  run.global("data", {1, 2});
  run.store(1, 3, data, 1, run.add(1, 3, run.load(1, 3, data, 0), run.load(1, 3, data, 1)));
  run.store(0, 4, data, 0, run.load(0, 4, data, 0));
  Trace t = run.trace();
  t.property = Property::inclusive_scan;
  EXPECT_THAT(proof(t).message.english(), HasSubstr("nothing orders the two"));
  Trace found = two_scanned();
  found.findings.push_back({.line = 1, .message = message("A finding.")});
  EXPECT_EQ(proof(found).message.english(), "A finding.");
}

TEST(Proof, DoesNotApplyToOtherPromises) {
  Trace t = two_scanned();
  t.property = Property::histogram;
  EXPECT_FALSE(proof(t).applies);
  t.property = Property::none;
  EXPECT_FALSE(proof(t).applies);
}

TEST(Proof, FollowsPowers) {
  HandRun run(1);
  const int in = run.global("in", {1, 2}), out = run.global("out", {0});
  const Value a = run.load(0, 2, in, 0), b = run.load(0, 2, in, 1);
  run.store(0, 4, out, 0, run.add(0, 4, run.mul(0, 3, a, a), run.mul(0, 3, b, b)));
  Trace t = run.trace();
  t.property = Property::reduction;
  t.output = out;
  EXPECT_FALSE(proof(t).holds);
  t.parameters = {{"of", "squares"}};
  EXPECT_TRUE(proof(t).holds) << proof(t).message.english();
}

TEST(Report, ComparesFloatsWithATolerance) {
  auto correct = [](float got, float want, int n) {
    Trace t;
    t.arrays = {{"x", ElementType::f32, n, 0, std::vector<std::byte>(size_t(n) * 4)}};
    for (int k = 0; k < n; ++k) {
      const float one = 1;
      std::memcpy(t.arrays[0].initial.data() + 4 * k, &one, 4);
    }
    t.arrays.push_back({"out", ElementType::f32, 1, 0, std::vector<std::byte>(4)});
    std::memcpy(t.arrays[1].initial.data(), &got, 4);
    t.output = 1;
    t.expected.resize(4);
    std::memcpy(t.expected.data(), &want, 4);
    return analyse(t).correct;
  };
  EXPECT_TRUE(correct(100.0001f, 100, 100));
  EXPECT_FALSE(correct(101, 100, 100));
  EXPECT_FALSE(correct(NAN, 100, 100));
  EXPECT_TRUE(correct(NAN, NAN, 100));
}

TEST(Report, OfNothingIsEmpty) {
  const Trace t;
  const Report r = analyse(t);
  EXPECT_THAT(r.flow.intervals, IsEmpty());
  EXPECT_FALSE(r.correct);
  EXPECT_TRUE(r.flow.snapshots_match);
}

}  // namespace
}  // namespace bscope
