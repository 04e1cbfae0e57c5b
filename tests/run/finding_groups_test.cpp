// Findings by cause: each said once, with its place; what follows from another is folded.
#include "app/run/finding_groups.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/run/own_program.hpp"
#include "app/run/run.hpp"
#include "app/run/verdict.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/simt/algorithm.hpp"
#include "tests/analysis/hand_run.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::shared_ptr<const Run> opened(const std::string& kernel) {
  RunSpec r;
  r.kernel = kernel;
  return open_run(r);
}

/// The rules of the notes that `check` prints of a program's run.
std::vector<std::string> notes_of(const bscope::Run& run, const cuda::ProgramRun& p) {
  std::vector<std::string> rules;
  for (const FindingGroup& g : note_groups(run, &p, finding_groups(run, &p))) {
    EXPECT_EQ(g.severity, Severity::note);
    rules.push_back(g.rule_name());
  }
  return rules;
}

// check fails by its verdict, and prints groups: the two must agree.
TEST(FindingGroups, AreThereExactlyWhereCheckFails) {
  for (const Algorithm* a : catalog()) {
    const auto run = opened(a->name);
    const auto groups = finding_groups(*run);
    EXPECT_EQ(count_errors(groups) > 0, check(*run).failed()) << a->name;
    for (const FindingGroup& g : groups) {
      EXPECT_FALSE(g.message.empty()) << a->name;
      EXPECT_FALSE(g.rule_name().empty()) << a->name;
    }
  }
}

TEST(FindingGroups, CountARaceOnceAndPointAtTheRead) {
  const auto run = opened("mistakes/missing-barrier");
  const auto groups = finding_groups(*run);
  ASSERT_FALSE(groups.empty());
  const FindingGroup& g = groups.front();
  EXPECT_EQ(g.rule_name(), "race");
  EXPECT_EQ(g.count, size_t(run->report.flow.hazards.front().alike) + 1);
  EXPECT_EQ(g.at.text.substr(size_t(g.at.column) - 1, size_t(g.at.length)).substr(0, g.array.size()),
            g.array);
  ASSERT_TRUE(g.moment);
  const auto intervals = run->report.flow.of_block(g.moment->launch, g.moment->block);
  const Interval& v = intervals[size_t(g.moment->interval)];
  EXPECT_TRUE(std::ranges::any_of(v.nodes, [&](int id) {
    const Node& n = run->report.flow.nodes[size_t(id)];
    return n.line == g.at.line && n.place == *g.moment->cell &&
           n.thread % run->trace.launches[0].block == g.moment->thread;
  }));
}

TEST(FindingGroups, FoldWhatFollows) {
  const auto run = opened("mistakes/missing-barrier");
  cuda::ProgramRun p;
  p.compiled = true;
  p.report.ended = "returned";
  p.report.exit = 1;
  const auto groups = finding_groups(*run, &p);
  for (const FindingGroup& g : groups) EXPECT_EQ(g.rule, Rule::race);
  ASSERT_FALSE(groups.front().consequences.empty());
  EXPECT_EQ(groups.front().consequences.back().rule, Rule::exit_code);
  EXPECT_THAT(finding_groups(*opened("scan/blelloch"), &p), SizeIs(1)) << "alone, an exit code is said";
}

TEST(FindingGroups, NameALikelyCauseWhereAProgramFailsAndNothingElseSaysWhy) {
  cuda::ProgramRun p;
  p.compiled = true;
  p.report.ended = "returned";
  p.report.likely_causes = {{.message = message("Line 4 copies nothing."), .file = "a.cu", .line = 4}};
  const auto right = opened("scan/blelloch"), racy = opened("mistakes/missing-barrier");
  EXPECT_THAT(finding_groups(*right, &p), IsEmpty());
  EXPECT_THAT(notes_of(*right, p), ElementsAre("likely-cause"));
  p.report.exit = 1;
  EXPECT_THAT(notes_of(*right, p), IsEmpty());
  const auto groups = finding_groups(*right, &p);
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_EQ(groups[0].rule_name(), "likely-cause");
  EXPECT_EQ(groups[0].at.line, 4);
  ASSERT_THAT(groups[0].consequences, SizeIs(1));
  EXPECT_EQ(groups[0].consequences[0].rule, Rule::exit_code);
  for (const FindingGroup& g : finding_groups(*racy, &p)) EXPECT_NE(g.rule, Rule::likely_cause);
  EXPECT_THAT(notes_of(*racy, p), ElementsAre("likely-cause")) << "beside an error it is a note";
  EXPECT_THAT(remarks_of(p, groups), IsEmpty());
  EXPECT_THAT(remarks_of(p), SizeIs(1));
}

TEST(FindingGroups, SayOfACellThatRacesNotThatItWasNeverWritten) {
  const auto racy = opened("mistakes/missing-barrier");
  const FindingGroup race = finding_groups(*racy).front();
  cuda::ProgramRun p;
  p.compiled = true;
  p.report.ended = "returned";
  const auto reads = [](const std::string& cell, int line) {
    return cuda::Remark{.message = message("{} reads {} in line {}, which was never written.", 0, cell, line),
                        .line = line};
  };
  p.report.likely_causes = {reads(race.array + "[1]", race.at.line)};
  EXPECT_THAT(notes_of(*racy, p), IsEmpty());
  p.report.likely_causes = {reads(race.array + "[1]", race.at.line + 1), reads("other[1]", race.at.line)};
  EXPECT_THAT(notes_of(*racy, p), SizeIs(2));
}

TEST(FindingGroups, FoldTheBarriersOfABlockThatThreadsDoNotReach) {
  bscope::Run run;
  run.trace = opened("scan/blelloch")->trace;
  run.report = analyse(run.trace);
  run.trace.dialect = Dialect::cuda;
  run.trace.sources[size_t(run.trace.launches[0].source)].text =
      "void k() {\n  for (;;) {\n    __syncthreads();\n    if (a)\n      __syncthreads();\n    "
      "__syncthreads();\n"
      "    if (b) {\n      __syncthreads();\n    }\n  }\n}\n";
  for (const int line : {3, 5, 6, 8})
    run.report.flow.faults.push_back({.line = line,
                                      .message = message("A barrier is not met by all, in line {}.", line),
                                      .kind = FindingKind::missed_barrier});
  const auto groups = finding_groups(run);
  ASSERT_THAT(groups, SizeIs(3));
  EXPECT_EQ(groups[0].at.line, 3);
  ASSERT_THAT(groups[0].consequences, SizeIs(1));
  EXPECT_EQ(groups[0].consequences[0].at.line, 6);
  for (const size_t k : {1, 2}) EXPECT_TRUE(groups[k].consequences.empty()) << "an if holds it";
}

TEST(FindingGroups, FoldARaceOnACellWhoseNumberRaces) {
  test::HandRun two(2);  // atomicAdd(count, 1); out[*count] = t;
  const int count = two.global("count", {0}), out = two.global("out", {0, 0});
  for (int t : {0, 1}) two.atomic(t, 2, Op::atomic_add, count, 0, {0, 1});
  for (int t : {0, 1}) {
    two.address(t, 3, out, two.load(t, 3, count, 0));
    two.store(t, 3, out, 0, {0, t});
  }
  bscope::Run run;
  run.trace = two.trace();
  run.report = analyse(run.trace);
  const auto groups = finding_groups(run);
  ASSERT_FALSE(groups.empty());
  EXPECT_EQ(groups[0].array, "count");
  EXPECT_EQ(std::ranges::count(groups, Rule::race, &FindingGroup::rule), 1);
  EXPECT_TRUE(std::ranges::any_of(groups[0].consequences, [](const FindingGroup& g) {
    return g.rule == Rule::race && g.array == "out";
  }));
}

TEST(FindingGroups, TellOfEarlyReturnsInANote) {
  cuda::ProgramRun p;
  p.compiled = true;
  p.report.ended = "returned";
  p.report.early_returns = {{.message = message("Threads return."), .file = "a.cu", .line = 4}};
  const auto run = opened("scan/blelloch");
  EXPECT_THAT(finding_groups(*run, &p), IsEmpty());
  const auto notes = note_groups(*run, &p, {});
  ASSERT_THAT(notes, SizeIs(1));
  EXPECT_EQ(notes[0].rule_name(), "early-return");
  EXPECT_EQ(notes[0].severity, Severity::note);
  EXPECT_EQ(notes[0].at.line, 4);
  EXPECT_EQ(count_errors(notes), 0u);
  // a line of a function that two kernels call is one barrier of the text
  Barrier one = barriers(run->trace, run->report.flow).front(), other = one;
  one.needed = other.needed = false;
  EXPECT_THAT(redundant_barriers(*run, {one, other}), SizeIs(1));
  other.needed = true;
  EXPECT_THAT(redundant_barriers(*run, {one, other}), IsEmpty());
}

TEST(FindingGroups, KnowTheArithmeticThatLeftAnArray) {
  bscope::Run run;
  run.trace = opened("scan/blelloch")->trace;
  run.report = analyse(run.trace);
  for (const int line : {20, 22})
    run.report.flow.faults.push_back({.line = line,
                                      .message = message("an index"),
                                      .kind = FindingKind::out_of_bounds,
                                      .cells = {{first_shared, 1 << 20}}});
  cuda::ProgramRun p;
  p.compiled = true;
  p.report.ended = "returned";
  const std::string file = run.trace.sources[0].path;
  p.report.overflows = {{"row * 9", "another.cu", 20}, {"row * 8", file, 22}};
  const auto groups = finding_groups(run, &p);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[0].overflow, "");
  EXPECT_EQ(groups[1].overflow, "row * 8");
}

TEST(FindingGroups, NameACellByThePointerThatItsLineNames) {
  bscope::Run run;
  run.trace = opened("scan/blelloch")->trace;
  run.report = analyse(run.trace);
  const std::string kernel = run.trace.launches[0].name, array = run.trace.arrays[0].name;
  run.trace.sources[size_t(run.trace.launches[0].source)].text = "flag[k] = 1;\nuse(" + array + ", flag);\n";
  for (const int line : {1, 2})
    run.report.flow.faults.push_back({.line = line,
                                      .message = message("It reads {} in line {}.", array + "[5]", line),
                                      .kind = FindingKind::uninitialised_read,
                                      .cells = {{0, 5}}});
  cuda::ProgramRun p;
  p.compiled = true;
  p.report.ended = "returned";
  p.report.inner_pointers = {
      {kernel, "flag", array, 3}, {kernel, "later", array, 6}, {"another", "flag", array, 4}};
  const auto groups = finding_groups(run, &p);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[0].message.english(), "It reads " + array + "[5] (flag[2]) in line 1.");
  EXPECT_EQ(groups[0].at.text.substr(size_t(groups[0].at.column) - 1, size_t(groups[0].at.length)),
            "flag[k]");
  EXPECT_EQ(groups[1].message.english(), "It reads " + array + "[5] in line 2.")
      << "the line names the array";
}

TEST(FindingGroups, AreOneForEachLineAndArray) {
  bscope::Run run;
  run.trace = opened("scan/blelloch")->trace;
  run.report = analyse(run.trace);
  for (int thread = 0; thread < 5; ++thread)
    run.report.flow.faults.push_back({.thread = thread,
                                      .line = 20,
                                      .message = message("{} reads it", thread),
                                      .kind = FindingKind::uninitialised_read,
                                      .cells = {{first_shared, thread}}});
  run.report.flow.faults.push_back({.line = 22, .message = message("another"), .cells = {{first_shared, 0}}});
  const auto groups = finding_groups(run);
  ASSERT_THAT(groups, SizeIs(1)) << "a thread that ended early leaves cells unwritten";
  EXPECT_EQ(groups[0].rule_name(), "kernel");
  ASSERT_THAT(groups[0].consequences, SizeIs(1));
  const FindingGroup& reads = groups[0].consequences[0];
  EXPECT_EQ(reads.rule_name(), "uninitialised-read");
  EXPECT_EQ(reads.count, 5u);
  EXPECT_EQ(reads.extent.english(), "1 of 5 such accesses, block 0");
}

TEST(FindingGroups, AreOneForAllInstantiationsOfAKernel) {
  bscope::Run run;
  run.trace = opened("scan/hierarchical")->trace;
  ASSERT_GT(run.trace.launches.size(), 1u);
  run.trace.launches[0].name = "sum<int, 256>";
  run.trace.launches[1].name = "sum<float, 256>";
  run.report = analyse(run.trace);
  for (int launch : {0, 1})
    run.report.flow.faults.push_back(
        {.launch = launch, .line = 20, .message = message("too far"), .kind = FindingKind::out_of_bounds});
  EXPECT_THAT(finding_groups(run), SizeIs(1));
}

TEST(FindingGroups, NameBarriersThatCouldGo) {
  const auto run = opened("scan/blelloch");
  const auto notes = redundant_barriers(*run, barriers(run->trace, run->report.flow));
  ASSERT_FALSE(notes.empty());
  for (const FindingGroup& g : notes) {
    EXPECT_EQ(g.severity, Severity::note);
    EXPECT_THAT(g.at.text, HasSubstr("sync"));
  }
  EXPECT_EQ(count_errors(notes), 0u);
}

}  // namespace
}  // namespace bscope
