// Every kernel of the catalog: right on any length, block and schedule, and the same trace in each of them
// where the order cannot matter.
#include <gmock/gmock.h>

#include <cmath>
#include <thread>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/trace.hpp"
#include "tests/catalog/output.hpp"
#include "tests/sanitized.hpp"

namespace bscope::test {
namespace {

using testing::ElementsAre;

Schedule schedule(Schedule::Policy kind, uint32_t seed = 0, int resident = 8) {
  Schedule s;
  s.kind = kind;
  s.seed = seed;
  s.resident_blocks = resident;
  return s;
}

/// All but the gallery of mistakes, whose rules are in tests/cli/mistakes_test.cpp.
std::vector<const Algorithm*> everything() {
  auto all = catalog();
  std::erase_if(all, [](const Algorithm* a) { return a->family() == "mistakes"; });
  all.push_back(&find("skeleton/reverse"));
  return all;
}

bool right(const Algorithm& a, const Problem& p, const Trace& t) {
  const auto got = output(t), want = a.expected(p);
  if (got.size() != want.size()) return false;
  for (size_t k = 0; k < got.size(); ++k)
    if (std::abs(got[k] - want[k]) > 1e-5 * (1 + std::abs(want[k])) * p.n()) return false;
  return t.launches.back().after[size_t(t.output)] == t.expected || p.set.contains("type");
}
/// No atomic whose place in a queue depends on the order.
bool deterministic(const Trace& t) {
  for (const auto& l : t.launches) {
    size_t atomics = 0;
    for (const auto& b : l.blocks)
      for (const auto& e : b.events) atomics += is_atomic(e.op);
    if (atomics > 1) return false;
  }
  return t.kernel != "histogram/racy";
}

class EveryKernel : public testing::TestWithParam<const Algorithm*> {};
INSTANTIATE_TEST_SUITE_P(Catalog, EveryKernel, testing::ValuesIn(everything()), [](const auto& p) {
  std::string name = p.param->name;
  for (char& c : name)
    if (!isalnum(c)) c = '_';
  return name;
});

TEST_P(EveryKernel, IsRightOnAnyLengthAndBlock) {
  const Algorithm& a = *GetParam();
  const std::vector<int> blocks{1, 2, 3, 8, 32, 37, 64, 100, 128, 256, 1024}, some{1, 3, 8, 37, 64, 1024};
  for (int block : test::all_or_part(blocks, some)) {
    if (a.power_of_two_block && (block & (block - 1))) continue;
    for (int n : {1, 2, 3, 7, 31, 32, 33, 63, 65, 127, 257, 997, 1024, 1025, 3001}) {
      if (n > 600 * block) continue;  // deep recursion is another test's
      if (test::sanitized && n != 1 && n != 33 && n != 1025) continue;
      RunSpec r;
      r.n = n;
      r.block = block;
      r.seed = uint32_t(n);
      const Problem p = make_problem(a, r);
      uint64_t first = 0;
      for (const Schedule& s : {schedule(Schedule::to_barrier), schedule(Schedule::lockstep),
                                schedule(Schedule::shuffled, 5, 3)}) {
        SCOPED_TRACE(a.name + " n " + std::to_string(n) + " block " + std::to_string(block) + " " +
                     name_of(s));
        const Trace t = run(a, p, Device::cpu, s);
        ASSERT_TRUE(t.findings.empty()) << t.findings[0].text();
        if (a.name == "histogram/racy" && s.kind != Schedule::to_barrier) continue;
        ASSERT_TRUE(right(a, p, t));
        if (!deterministic(t)) continue;
        const uint64_t d = digest(t);
        if (!first) first = d;
        ASSERT_EQ(d, first) << "the trace depends on the schedule";
      }
    }
  }
}

TEST_P(EveryKernel, TakesItsElementTypesAndParameters) {
  const Algorithm& a = *GetParam();
  for (const Parameter& parameter : a.parameters)
    for (const Choice& c : parameter.values)
      for (int n : {1, 50, 333}) {
        RunSpec r;
        r.n = n;
        r.block = 16;
        r.set = {{parameter.name, c.text}};
        const Problem p = make_problem(a, r);
        const Trace t = run(a, p, Device::cpu, schedule(Schedule::to_barrier));
        EXPECT_TRUE(right(a, p, t)) << a.name << " " << parameter.name << "=" << c.text << " n " << n;
        if (parameter.name == "type") { EXPECT_STREQ(name_of(t.arrays[0].kind), c.text.c_str()); }
      }
}

TEST_P(EveryKernel, SumsWrapLikeInt32) {
  const Algorithm& a = *GetParam();
  if (a.family() == "histogram") return;
  RunSpec r;
  r.values = std::vector<double>(37, 2147483647.0);
  const Problem p = make_problem(a, r);
  EXPECT_TRUE(right(a, p, run(a, p, Device::cpu, schedule(Schedule::to_barrier))));
}

TEST_P(EveryKernel, SaysWhatItIs) {
  const Algorithm& a = *GetParam();
  EXPECT_FALSE(a.title.empty());
  EXPECT_FALSE(a.lesson.empty());
  const Problem p = make_problem(a, {});
  const Trace t = run(a, p, Device::cpu);
  EXPECT_EQ(t.kernel, a.name);
  EXPECT_EQ(t.parameters[0], std::pair(std::string("block"), std::to_string(p.block)));
  EXPECT_EQ(t.parameters[1], std::pair(std::string("n"), std::to_string(p.n())));
  EXPECT_EQ(t.parameters.size(), 2 + a.parameters.size());
  EXPECT_EQ(t.device, "cpu");
  for (const Launch& l : t.launches) {
    const Source& s = t.sources.at(size_t(l.source));
    EXPECT_TRUE(s.path.starts_with("kernels/")) << s.path;
    EXPECT_EQ(s.text, source_text(s.path));
    // Every line that an event names exists, and the last barrier's says so.
    const auto lines = std::count(s.text.begin(), s.text.end(), '\n');
    for (const auto& b : l.blocks)
      for (const Event& e : b.events) ASSERT_LE(e.line, lines);
  }
}

TEST_P(EveryKernel, KeepsUnder24BytesAnEvent) {
  const Algorithm& a = *GetParam();
  RunSpec r;
  r.n = 2000;
  const Trace t = run(a, make_problem(a, r), Device::cpu, schedule(Schedule::to_barrier));
  size_t bytes = 0;
  for (const auto& l : t.launches) {
    bytes += l.turns.size() * sizeof(Turn);
    for (const auto& b : l.blocks)
      bytes += b.events.size() * sizeof(Event) + b.snapshots.size() + b.first.size() * sizeof(uint32_t);
  }
  EXPECT_LE(double(bytes), 24.0 * double(t.events())) << a.name;
}

// --- what a lesson says
// ----------------------------------------------------------------------------------------

std::vector<std::vector<double>> states(const Launch& l, int block) {
  std::vector<std::vector<double>> all;
  const auto& bytes = l.blocks[size_t(block)].snapshots;
  for (size_t at = 0; at < bytes.size(); at += l.shared_bytes) {
    auto& row = all.emplace_back();
    for (int k = 0; k < l.shared[0].size; ++k)
      row.push_back(number(l.shared[0].kind, bytes.data() + at + 4 * k));
  }
  return all;
}
int counted_adds(const Trace& t) {
  int n = 0;
  for (const auto& l : t.launches)
    for (const auto& b : l.blocks)
      for (const auto& e : b.events) n += e.op == Op::add;
  return n;
}

TEST(Blelloch, GoesThroughTheTextbooksStates) {
  RunSpec r;
  r.values = {{3, 1, 7, 0, 4, 1, 6, 3}};
  r.block = 4;
  const Algorithm& a = find("scan/blelloch");
  const Trace t = run(a, make_problem(a, r), Device::cpu);
  ASSERT_EQ(t.launches.size(), 1u);
  EXPECT_THAT(states(t.launches[0], 0),
              ElementsAre(ElementsAre(3, 1, 7, 0, 4, 1, 6, 3), ElementsAre(3, 4, 7, 7, 4, 5, 6, 9),
                          ElementsAre(3, 4, 7, 11, 4, 5, 6, 14), ElementsAre(3, 4, 7, 11, 4, 5, 6, 25),
                          ElementsAre(3, 4, 7, 11, 4, 5, 6, 0), ElementsAre(3, 4, 7, 0, 4, 5, 6, 11),
                          ElementsAre(3, 0, 7, 4, 4, 11, 6, 16), ElementsAre(0, 3, 4, 11, 11, 15, 16, 22),
                          ElementsAre(0, 3, 4, 11, 11, 15, 16, 22)));
  EXPECT_EQ(counted_adds(t), 14);
  ASSERT_FALSE(t.formulas.empty());
  EXPECT_EQ(t.formulas[0], (Formula{"adds", "2(n-1)", 14}));
  std::vector<std::string> phases;
  for (const Event& e : t.launches[0].blocks[0].log(0))
    if (e.op == Op::phase) phases.push_back(t.launches[0].phases.at(e.bits));
  EXPECT_THAT(phases, ElementsAre("up-sweep", "clear", "down-sweep", "store"));
}

TEST(TextbookCounts, EqualWhatWasCountedInOneTile) {
  for (const char* name : {"scan/kogge-stone", "scan/blelloch", "reduce/tree-mask", "reduce/shared"})
    for (int n : {1, 2, 16, 64, 1024}) {
      const Algorithm& a = find(name);
      RunSpec r;
      r.n = n;
      r.block = name == std::string("scan/blelloch") ? std::max(1, n / 2) : n;
      const Problem p = make_problem(a, r);
      const Trace t = run(a, p, Device::cpu);
      ASSERT_EQ(t.launches.size(), 1u) << name << " n " << n;
      if (a.tile(p) == n) { EXPECT_EQ(t.formulas.at(0).value, counted_adds(t)) << name << " n " << n; }
    }
}

TEST(Threads, EachHasAnExecutorOfItsOwn) {
  const Algorithm& a = find("scan/blelloch");
  RunSpec r;
  r.n = 700;
  const Problem p = make_problem(a, r);
  const uint64_t alone = digest(run(a, p, Device::cpu));
  std::vector<uint64_t> digests(6);
  std::vector<std::thread> threads;
  for (auto& d : digests)
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) d = digest(run(a, p, Device::cpu, schedule(Schedule::Policy(1 + k % 3))));
    });
  for (auto& t : threads) t.join();
  EXPECT_THAT(digests, testing::Each(alone));
}

TEST(Tiles, OfOneElementStillEnd) {
  const Algorithm& a = find("scan/kogge-stone");
  RunSpec r;
  r.n = 100;
  r.block = 1;
  const Problem p = make_problem(a, r);
  EXPECT_TRUE(right(a, p, run(a, p, Device::cpu)));
}
TEST(Tiles, HelpersNameTheirOwnFile) {
  const Algorithm& a = find("scan/blelloch");
  RunSpec r;
  r.n = 40;
  r.block = 4;
  const Trace t = run(a, make_problem(a, r), Device::cpu);
  std::vector<std::string> files;
  for (const auto& l : t.launches) files.push_back(l.name + " " + t.sources[size_t(l.source)].path);
  EXPECT_THAT(files, ElementsAre("scan tiles kernels/scan/5_blelloch.cu",
                                 "scan totals kernels/scan/5_blelloch.cu", "add totals kernels/tiles.hpp"));
}

TEST(QueuePreset, HasTwentyOfThirtyTwoKeysInBinFive) {
  for (const char* name : {"histogram/racy", "histogram/global-atomics", "histogram/shared-atomics"}) {
    RunSpec r;
    r.preset = "queue-7x20";
    const Problem p = make_problem(find(name), r);
    EXPECT_EQ(p.n(), 224);
    EXPECT_EQ(p.block, 32);
    EXPECT_EQ(p["bins"], 16);
    for (int block = 0; block < 7; ++block) {
      std::vector<int> bins(16);
      for (int i = 0; i < 32; ++i) ++bins[size_t(p.data[size_t(block) * 32 + size_t(i)])];
      EXPECT_THAT(bins, ElementsAre(1, 1, 0, 0, 0, 20, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
    }
  }
}

TEST(Racy, LosesUpdatesInLockstepReproducibly) {
  const Algorithm& a = find("histogram/racy");
  RunSpec r;
  r.preset = "queue-7x20";
  const Problem p = make_problem(a, r);
  auto counted = [&](const Schedule& s, uint64_t& hash) {
    const Trace t = run(a, p, Device::cpu, s);
    hash = digest(t);
    double sum = 0;
    for (double x : output(t)) sum += x;
    return sum;
  };
  for (uint32_t seed : {1u, 2u, 3u}) {
    uint64_t once = 0, again = 0;
    const double kept = counted(schedule(Schedule::shuffled, seed), once);
    EXPECT_LT(kept, 224);
    EXPECT_EQ(counted(schedule(Schedule::shuffled, seed), again), kept);
    EXPECT_EQ(once, again);
  }
}

TEST(Automatic, GoesAgainInLockstepWhereTheOrderMatters) {
  const Algorithm& a = find("scan/blelloch");
  const Problem p = make_problem(a, {});
  EXPECT_EQ(run(a, p, Device::cpu).driver, "to-barrier");
  EXPECT_EQ(run(a, p, Device::cpu, {}, [](const Trace&) { return false; }).driver, "to-barrier");
  EXPECT_EQ(run(a, p, Device::cpu, {}, [](const Trace&) { return true; }).driver, "lockstep");
}

}  // namespace
}  // namespace bscope::test
