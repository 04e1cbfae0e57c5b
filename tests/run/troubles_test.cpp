// A run that goes wrong says so in sentences; one that goes right says nothing.
#include "app/run/troubles.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "app/run/run.hpp"
#include "app/run/verdict.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/schedule.hpp"
#include "tests/messages.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;

Troubles of(const char* kernel, long long n = 0) {
  RunSpec r;
  r.kernel = kernel;
  if (n) r.n = n;
  return troubles(*open_run(r));
}

TEST(Troubles, AreNoneWhereAllIsWell) {
  for (const char* kernel : {"scan/blelloch", "reduce/warp-shuffle", "histogram/shared-atomics"}) {
    const Troubles t = of(kernel);
    EXPECT_EQ(t.word, "") << kernel;
    EXPECT_TRUE(t.messages.empty()) << kernel << ": " << t.messages[0].english();
  }
}

TEST(Troubles, AreAllThatCheckFailsOn) {
  for (const Algorithm* a : catalog()) {
    RunSpec r;
    r.kernel = a->name;
    const auto run = open_run(r);
    const Verdict v = check(*run);
    const Troubles t = troubles(*run);
    EXPECT_EQ(v.passed(), t.word.empty()) << a->name;
    EXPECT_EQ(v.passed(), t.messages.empty()) << a->name;
    const auto says = [&](const std::string& sentence) {
      return std::ranges::any_of(texts(t.messages),
                                 [&](const auto& s) { return s.find(sentence) != std::string::npos; });
    };
    if (!v.well_behaved) { EXPECT_TRUE(says(v.findings[0].text())) << a->name; }
    if (v.judged && !v.correct) { EXPECT_TRUE(says(first_difference(*run).english())) << a->name; }
    if (!v.coverage.whole()) { EXPECT_TRUE(says(v.coverage.gaps[0].message.english())) << a->name; }
  }
}

// "Race 2" read as the second race, where the other finding was a wrong result.
TEST(Troubles, ACountSaysWhatItCounts) {
  EXPECT_EQ(heading_of_finding("race", -1, 1).english(), "race");
  EXPECT_EQ(heading_of_finding("race", -1, 3).english(), "race, 2 more");
  EXPECT_EQ(heading_of_finding("wrong", 1, 3).english(), "wrong 2/3");
}

TEST(Troubles, TellsAnExitCodeLast) {
  RunSpec r;
  r.kernel = "mistakes/dropped-tail";
  const auto run = open_run(r);
  cuda::ProgramRun p;
  p.compiled = true;
  p.report.ended = "returned";
  p.report.exit = 1;
  const Troubles t = troubles(*run, &p);
  EXPECT_EQ(t.word, "wrong");
  EXPECT_THAT(t.messages.at(0).english(), HasSubstr("are never read"));
  EXPECT_EQ(t.messages.back().english(), "the program ended with exit code 1");
}

/// A limit of ours is no fault of the program. What was not judged for it is shown in the words of `check`.
TEST(Troubles, AreNamedApartWhereARunIsNotJudged) {
  RunSpec r;
  const auto told = [&](const char* kernel, const auto& change) {
    r.kernel = kernel;
    const auto run = open_run(r);
    cuda::ProgramRun p;
    p.compiled = true;
    p.report.ended = "returned";
    p.report.launches = {{.kernel = "scan", .shown = "in_full"}};
    change(p);
    const Troubles t = troubles(*run, &p);
    const Verdict v = check(*run, &p);
    EXPECT_EQ(v.passed(), t.word.empty());
    EXPECT_EQ(v.failed(), !t.word.empty() && t.word != "not judged");
    for (const Message& m : {v.stopped, v.unseen})
      if (!m.empty()) EXPECT_THAT(t.not_judged, testing::Contains(m));
    return t;
  };
  const auto stop = [](cuda::ProgramRun& p) {
    p.report.ended = "stopped";
    p.report.end.message = Message::plain("The program was stopped after 20 s");
  };
  const auto hide = [](cuda::ProgramRun& p) {
    p.report.launches.push_back({.kernel = "add", .shown = "not_shown"});
    p.report.launches.push_back({.kernel = "scale", .shown = "not_shown"});
  };
  const auto no_result = [](cuda::ProgramRun& p) { p.unjudged = Message::plain("out is too long"); };
  const auto nothing = [](cuda::ProgramRun&) {};
  EXPECT_EQ(told("scan/blelloch", nothing).word, "");
  for (const std::function<void(cuda::ProgramRun&)>& limit :
       std::vector<std::function<void(cuda::ProgramRun&)>>{stop, hide, no_result}) {
    EXPECT_EQ(told("scan/blelloch", limit).word, "not judged");
    const Troubles both = told("mistakes/missing-barrier", limit);
    EXPECT_EQ(both.word, "race");
    EXPECT_EQ(both.not_judged.size(), 1u);
  }
  EXPECT_THAT(told("scan/blelloch", hide).messages.at(0).english(),
              testing::StartsWith("no launch of add, scale is shown"));
}

TEST(Troubles, AreReadsOfWhatWasNeverWritten) {
  RunSpec r;
  r.kernel = "scan/blelloch";
  bscope::Run run;
  run.trace = open_run(r)->trace;
  run.report = analyse(run.trace);
  run.report.flow.faults = {
      {.line = 11, .message = message("{} reads {} in line {}", "Thread 0", "local[0]", 11)}};
  ASSERT_FALSE(check(run).passed());
  const Troubles t = troubles(run);
  EXPECT_EQ(t.word, "fault");
  EXPECT_EQ(t.messages.at(0), run.report.flow.faults[0].message);
  EXPECT_EQ(findings_of(run).at(0).line, 11);
}

TEST(Troubles, AreNamedWithTheirMend) {
  const Troubles race = of("mistakes/missing-barrier"), fault = of("mistakes/signed-char"),
                 wrong = of("mistakes/dropped-tail");
  EXPECT_EQ(race.word, "race");
  EXPECT_THAT(race.messages.at(0).english(), HasSubstr("nothing orders"));
  EXPECT_EQ(fault.word, "fault");
  EXPECT_THAT(fault.messages.at(0).english(), HasSubstr("in a signed type of 8 bits"));
  EXPECT_LE(fault.messages.size(), 4u);
  EXPECT_EQ(wrong.word, "wrong");
  EXPECT_THAT(wrong.messages.at(0).english(), HasSubstr("are never read"));
  for (const Troubles& t : {race, fault, wrong}) EXPECT_FALSE(t.fix.empty());
  EXPECT_EQ(of("mistakes/divergent-barrier", 16).word, "");  // every block is full: this run shows nothing
  EXPECT_EQ(of("histogram/racy").word, "race");
}

/// The arrays and lines of all races.
std::set<std::tuple<std::string, int, int>> races(const char* kernel, long long n, Schedule::Policy kind) {
  RunSpec r;
  r.kernel = kernel;
  r.n = n;
  const auto run = open_run(r, Device::cpu, {.kind = kind});
  std::set<std::tuple<std::string, int, int>> all;
  for (const Hazard& h : run->report.flow.hazards) {
    const auto [first, last] = std::minmax(h.lines[0], h.lines[1]);
    const bool fresh = all.insert({h.array, first, last}).second;
    EXPECT_EQ(fresh, h.alike >= 0) << kernel << ": told once and counted once, line " << last;
  }
  return all;
}

TEST(Troubles, OfTheUsualScheduleAreThoseOfBothOrders) {
  size_t seen = 0;
  for (const Algorithm* a : catalog()) {
    if (a->family() != "mistakes" && a->name != "histogram/racy") continue;
    for (const long long n : {19, 64}) {
      auto either = races(a->name.c_str(), n, Schedule::to_barrier);
      seen += either.size();
      if (!either.empty()) either.merge(races(a->name.c_str(), n, Schedule::lockstep));
      const auto usual = races(a->name.c_str(), n, Schedule::automatic);
      EXPECT_TRUE(std::ranges::includes(usual, either)) << a->name << " n " << n;
    }
  }
  EXPECT_GT(seen, 2u);
}

}  // namespace
}  // namespace bscope
