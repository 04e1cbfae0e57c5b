// The replay explains every run of every real kernel: its memory is the real one at each barrier, and only
// what is really unordered is called a hazard.
#include <gmock/gmock.h>

#include "engine/analysis/content.hpp"
#include "engine/analysis/contention.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/program.hpp"
#include "tests/sanitized.hpp"

namespace bscope::test {
namespace {

std::string first_of(const DataflowGraph& f) {
  return !f.faults.empty() ? f.faults[0].text() : f.hazards.empty() ? "" : f.hazards[0].message.english();
}

std::vector<const Algorithm*> ladders() {
  auto all = catalog();
  std::erase_if(all, [](const Algorithm* a) { return a->family() == "mistakes"; });
  return all;
}

class EveryRun : public testing::TestWithParam<const Algorithm*> {};
INSTANTIATE_TEST_SUITE_P(Catalog, EveryRun, testing::ValuesIn(ladders()), [](const auto& p) {
  std::string name = p.param->name;
  for (char& c : name)
    if (!isalnum(c)) c = '_';
  return name;
});

TEST_P(EveryRun, IsExplainedByTheReplay) {
  const Algorithm& a = *GetParam();
  const bool racy = a.name == "histogram/racy";
  for (int block : {1, 8, 32, 37, 128}) {
    if (a.power_of_two_block && (block & (block - 1))) continue;
    for (int n : test::all_or_part<std::vector<int>>({1, 2, 31, 33, 255, 700}, {1, 33, 255})) {
      if (n > 100 * block) continue;
      RunSpec r;
      r.n = n;
      r.block = block;
      const Problem p = make_problem(a, r);
      for (const Schedule& s : {Schedule{.kind = Schedule::to_barrier}, Schedule{.kind = Schedule::lockstep},
                                Schedule{.kind = Schedule::shuffled, .seed = 11, .resident_blocks = 3}}) {
        SCOPED_TRACE(a.name + " n " + std::to_string(n) + " block " + std::to_string(block) + " " +
                     name_of(s));
        Trace t = run(a, p, Device::cpu, s);
        for (const bool turns : {true, false}) {  // without turns: as a GPU's trace
          if (!turns && racy) continue;  // an order that explains a race need not be the one that was
          if (!turns)
            for (auto& l : t.launches) l.turns.clear();
          const DataflowGraph f = replay_trace(t);
          ASSERT_TRUE(f.snapshots_match) << first_of(f);
          ASSERT_TRUE(f.faults.empty()) << first_of(f);
          if (!racy) { ASSERT_TRUE(f.hazards.empty()) << first_of(f); }
          ASSERT_GT(f.snapshots, 0u);
          if (t.property != Property::none && t.property != Property::histogram) {
            const Proof proof = prove(t, f, words(t, f));
            ASSERT_TRUE(proof.holds) << proof.message.english();
          }
        }
      }
    }
  }
}

struct ReadsUnwritten {
  template <class T>
  __device__ void operator()(auto& t, Array<T> out) const {
    auto s = shared<T>(t, "s", 32);
    if (t.rank() != 5) s[t.rank()] = 1;
    t.sync();
    out[t.rank()] = s[t.rank()];
  }
};
TEST(SharedMemory, ThatWasNeverWrittenIsNotReadInSilence) {
  for (auto kind : {Schedule::to_barrier, Schedule::lockstep}) {
    Gpu gpu({.kind = kind});
    auto out = gpu.array<int>("out", 32);
    gpu.launch("test", {1, 32}, ReadsUnwritten{}, out);
    const DataflowGraph f = replay_trace(gpu.trace);
    ASSERT_EQ(f.faults.size(), 1u);
    EXPECT_THAT(f.faults[0].text(), testing::HasSubstr("s[5]"));
  }
}

TEST(QueuePreset, HasTheQueuesThatTheLessonNames) {
  auto report = [](const char* name, long* lost = nullptr) {
    RunSpec r;
    r.preset = "queue-7x20";
    const Algorithm& a = find(name);
    const Trace t =
        run(a, make_problem(a, r), Device::cpu, {}, [](const Trace& t) { return order_matters(t); });
    const Report all = analyse(t);
    if (lost) *lost = all.lost().lost;
    return std::pair(all.contention().longest_shared, all.contention().longest_global);
  };
  EXPECT_EQ(report("histogram/global-atomics"), std::pair(0, 140));
  EXPECT_EQ(report("histogram/shared-atomics"), std::pair(20, 7));
  long lost = 0, again = 0;
  report("histogram/racy", &lost);
  report("histogram/racy", &again);
  EXPECT_GT(lost, 0);
  EXPECT_EQ(again, lost);
}

TEST(Blelloch, OnlyTheTwoBarriersAroundTheClearAreRedundant) {
  RunSpec r;
  r.n = 16;
  const Algorithm& a = find("scan/blelloch");
  const Trace t = run(a, make_problem(a, r), Device::cpu);
  std::vector<bool> needed;
  for (const Barrier& b : barriers(t, replay_trace(t))) needed.push_back(b.needed);
  EXPECT_THAT(needed, testing::ElementsAre(true, false, false, true));
}

}  // namespace
}  // namespace bscope::test
