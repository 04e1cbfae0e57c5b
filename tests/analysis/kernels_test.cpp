// The analyses on real kernels: what the lessons promise, held against models of their own.
#include <gmock/gmock.h>

#include <bit>
#include <set>

#include "engine/analysis/arrows.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/contention.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/why.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope {
namespace {

using ::testing::IsEmpty;

struct Ran {
  Trace trace;
  Report report;
};
/// Heap, since a report points to its trace.
std::unique_ptr<Ran> run_it(const std::string& kernel, const std::vector<double>& values, int block,
                            const Schedule& schedule, bool turns = true) {
  RunSpec r;
  r.kernel = kernel;
  r.values = values;
  if (block) r.block = block;
  auto ran = std::make_unique<Ran>();
  ran->trace = run(find(kernel), make_problem(find(kernel), r), Device::cpu, schedule);
  if (!turns)
    for (Launch& l : ran->trace.launches) l.turns.clear();
  ran->report = analyse(ran->trace);
  return ran;
}
Schedule schedule(Schedule::Policy kind, uint32_t seed = 1) {
  Schedule s;
  s.kind = kind;
  s.seed = seed;
  return s;
}
std::vector<double> numbers(int n, uint32_t seed, int range = 201, int from = -100) {
  std::vector<double> v;
  for (int k = 0; k < n; ++k) {
    seed = seed * 1664525u + 1013904223u;
    v.push_back(double(int(seed >> 9) % range + from));
  }
  return v;
}
std::vector<int32_t> first_cells(const Interval& v, size_t count) {
  std::vector<int32_t> all(count);
  std::memcpy(all.data(), v.shared.data(), count * 4);
  return all;
}
void expect_clean(const Ran& ran, const std::string& at) {
  const DataflowGraph& f = ran.report.flow;
  EXPECT_THAT(f.faults, IsEmpty()) << at;
  EXPECT_THAT(ran.trace.findings, IsEmpty()) << at;
  EXPECT_TRUE(f.snapshots_match) << at;
  EXPECT_EQ(f.hazards_found, 0u) << at << (f.hazards.empty() ? "" : f.hazards[0].message.english());
  EXPECT_TRUE(ran.report.correct) << at;
}

using State = std::vector<int32_t>;

/// The states of Blelloch's array at each barrier, by the algorithm as books give it.
std::vector<State> blelloch(State s) {
  const int n = int(s.size());
  std::vector<State> all{s};
  for (int stride = 1; stride < n; stride *= 2) {
    for (int right = 2 * stride - 1; right < n; right += 2 * stride) s[right] += s[right - stride];
    all.push_back(s);
  }
  s.back() = 0;
  all.push_back(s);
  for (int stride = n / 2; stride > 0; stride /= 2) {
    for (int right = 2 * stride - 1; right < n; right += 2 * stride) {
      const int32_t left = s[right - stride];
      s[right - stride] = s[right];
      s[right] += left;
    }
    all.push_back(s);
  }
  return all;
}
std::vector<State> kogge_stone(State s) {
  std::vector<State> all{s};
  for (size_t stride = 1; stride < s.size(); stride *= 2) {
    all.push_back(s);  // the loads change nothing
    State next = s;
    for (size_t k = stride; k < s.size(); ++k) next[k] = s[k - stride] + s[k];
    all.push_back(s = next);
  }
  return all;
}
std::vector<State> tree(State s, bool halves) {
  const int n = int(s.size());
  std::vector<State> all{s};
  for (int step = 1; step < n; step *= 2) {
    const int stride = halves ? n / 2 / step : step;
    for (int k = 0; k + stride < n; ++k)
      if (halves ? k < stride : k % (2 * stride) == 0) s[k] += s[k + stride];
    all.push_back(s);
  }
  return all;
}

/// The states that follow one another; barriers that change nothing count once.
std::vector<State> distinct(std::vector<State> all) {
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

TEST(Kernels, SharedStatesEqualAnIndependentModel) {
  struct Case {
    const char* kernel;
    int per_thread;
    std::vector<State> (*model)(State);
  };
  const Case cases[] = {{"scan/blelloch", 2, blelloch},
                        {"scan/kogge-stone", 1, kogge_stone},
                        {"reduce/tree-mask", 1, [](State s) { return tree(s, false); }},
                        {"reduce/shared", 1, [](State s) { return tree(s, true); }}};
  for (const Case& c : cases)
    for (int block : legal_blocks(find(c.kernel)))
      for (uint32_t seed : {1u, 2u}) {
        if (block > 64 && seed == 2) continue;
        if (!std::has_single_bit(unsigned(block)) && block % 37 != 0) continue;
        const int tile = block * c.per_thread;
        const int n = seed == 1 ? tile : std::max(1, tile - tile / 3);  // whole, and padded
        const std::vector<double> values = numbers(n, seed + uint32_t(block));
        const auto ran = run_it(c.kernel, values, block, schedule(Schedule::to_barrier));
        const std::string at = std::string(c.kernel) + " block " + std::to_string(block);
        expect_clean(*ran, at);
        State padded(values.begin(), values.end());
        padded.resize(size_t(tile));
        std::vector<State> states;
        for (const Interval& v : ran->report.flow.of_block(0, 0))
          states.push_back(first_cells(v, size_t(tile)));
        EXPECT_EQ(distinct(states), distinct(c.model(padded))) << at;
      }
}

TEST(Kernels, AddAsOftenAsTheTextbookSays) {
  for (int log = 0; log <= 9; ++log) {
    const int block = 1 << log;
    auto adds = [&](const char* kernel, int n) {
      return run_it(kernel, numbers(n, 3), block, schedule(Schedule::to_barrier))->report.work().adds;
    };
    EXPECT_EQ(adds("scan/kogge-stone", block), block * log - (block - 1));
    EXPECT_EQ(adds("scan/blelloch", 2 * block), 2 * (2 * block - 1));
    EXPECT_EQ(adds("reduce/tree-mask", block), block - 1);
    EXPECT_EQ(adds("reduce/shared", block), block - 1);
  }
}

TEST(Kernels, AreProvedInEveryScheduleAndWithoutTurns) {
  for (const char* kernel : {"scan/blelloch", "scan/kogge-stone", "reduce/tree-mask", "reduce/shared"})
    for (int n : {1, 2, 7, 16, 33, 100})
      for (auto kind : {Schedule::to_barrier, Schedule::lockstep, Schedule::shuffled})
        for (bool turns : {true, false}) {
          const auto ran = run_it(kernel, numbers(n, uint32_t(n)), 8, schedule(kind, 5), turns);
          const std::string at = std::string(kernel) + " n " + std::to_string(n);
          expect_clean(*ran, at);
          EXPECT_TRUE(ran->report.proof().holds) << at << ": " << ran->report.proof().message.english();
          if (std::string(kernel).starts_with("scan")) {
            EXPECT_EQ(ran->report.proof().operators, "associative") << at;
          }
        }
}

TEST(Kernels, OfEveryElementTypeAreFollowedExactly) {
  for (const char* kernel : {"scan/blelloch", "scan/kogge-stone", "reduce/tree-mask", "reduce/shared"})
    for (const char* type : {"int32", "float", "double"})
      for (bool turns : {true, false}) {
        RunSpec r;
        r.kernel = kernel;
        r.values = numbers(150, 9);
        for (double& x : *r.values) x *= std::string(type) == "int32" ? 1 : 0.37;
        r.block = 32;
        r.set = {{"type", type}};
        Ran ran;
        ran.trace =
            run(find(kernel), make_problem(find(kernel), r), Device::cpu, schedule(Schedule::lockstep));
        if (!turns)
          for (Launch& l : ran.trace.launches) l.turns.clear();
        ran.report = analyse(ran.trace);
        const std::string at = std::string(kernel) + " " + type;
        expect_clean(ran, at);
        EXPECT_TRUE(ran.report.proof().holds) << at << ran.report.proof().message.english();
        EXPECT_EQ(ran.report.proof().message.english().find("rounding") != std::string::npos,
                  std::string(type) != "int32");
        if (std::string(type) == "float") {
          Trace wrong = ran.trace;
          float x;
          std::memcpy(&x, wrong.expected.data(), 4);
          x += 5;
          std::memcpy(wrong.expected.data(), &x, 4);
          EXPECT_FALSE(analyse(wrong).correct);
        }
      }
}

TEST(Kernels, BlellochOnTheWorkedExample) {
  const auto ran = run_it("scan/blelloch", {3, 1, 7, 0, 4, 1, 6, 3}, 4, schedule(Schedule::automatic));
  expect_clean(*ran, "the example");
  const Report& r = ran->report;
  std::vector<State> states;
  for (const Interval& v : r.flow.intervals) states.push_back(first_cells(v, 8));
  EXPECT_EQ(distinct(states), (std::vector<State>{{3, 1, 7, 0, 4, 1, 6, 3},
                                                  {3, 4, 7, 7, 4, 5, 6, 9},
                                                  {3, 4, 7, 11, 4, 5, 6, 14},
                                                  {3, 4, 7, 11, 4, 5, 6, 25},
                                                  {3, 4, 7, 11, 4, 5, 6, 0},
                                                  {3, 4, 7, 0, 4, 5, 6, 11},
                                                  {3, 0, 7, 4, 4, 11, 6, 16},
                                                  {0, 3, 4, 11, 11, 15, 16, 22}}));
  EXPECT_EQ(r.work().adds, 14);
  const auto& intervals = r.flow.intervals;
  const auto last = std::find_if(intervals.rbegin(), intervals.rend(),
                                 [](const Interval& v) { return v.phase == "down-sweep"; });
  for (const Arrow& a : arrows(r.flow, *last)) {
    const int right = a.to.index | 1;
    if (a.to.index == right) {
      EXPECT_EQ(a.op, "add");
      EXPECT_THAT(a.from, ::testing::ElementsAre(CellRef{a.to.array, right - 1}, CellRef{a.to.array, right}));
    } else {
      EXPECT_EQ(a.op, "copy");
      EXPECT_THAT(a.from, ::testing::ElementsAre(CellRef{a.to.array, right}));
    }
  }
  const auto clear =
      std::find_if(intervals.begin(), intervals.end(), [](const Interval& v) { return v.phase == "clear"; });
  ASSERT_NE(clear, intervals.begin());
  EXPECT_EQ(content(ran->trace, r.flow, r.words(), *(clear - 1))[0][7].text(), "x0..x7");
  EXPECT_EQ(sentence(why(ran->trace, r.flow, r.words(), *(clear - 1), {first_shared, 7})),
            "Thread 0: sum[7] = 11 + 14 = 25, read from sum[3] and sum[7].");
}

std::unique_ptr<Ran> preset_run(const char* kernel, const Schedule& s, bool turns = true) {
  RunSpec r;
  r.kernel = kernel;
  r.preset = "queue-7x20";
  auto ran = std::make_unique<Ran>();
  ran->trace = run(find(kernel), make_problem(find(kernel), r), Device::cpu, s);
  if (!turns)
    for (Launch& l : ran->trace.launches) l.turns.clear();
  ran->report = analyse(ran->trace);
  return ran;
}

TEST(Kernels, QueuesOfThePreset) {
  for (auto kind : {Schedule::to_barrier, Schedule::lockstep, Schedule::shuffled})
    for (bool turns : {true, false}) {
      const auto global = preset_run("histogram/global-atomics", schedule(kind), turns);
      expect_clean(*global, "global atomics");
      EXPECT_EQ(global->report.contention().longest_global, 140);
      EXPECT_EQ(global->report.contention().longest_shared, 0);
      EXPECT_EQ(global->report.lost().lost, 0);
      const auto shared = preset_run("histogram/shared-atomics", schedule(kind), turns);
      expect_clean(*shared, "shared atomics");
      EXPECT_EQ(shared->report.contention().longest_shared, 20);
      EXPECT_EQ(shared->report.contention().longest_global, 7);
    }
}

TEST(Kernels, TheRacyHistogramLosesUpdatesReproducibly) {
  std::set<long> losses;
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    const auto a = preset_run("histogram/racy", schedule(Schedule::shuffled, seed));
    const auto b = preset_run("histogram/racy", schedule(Schedule::shuffled, seed));
    EXPECT_EQ(digest(a->trace), digest(b->trace));
    const Report& r = a->report;
    EXPECT_TRUE(r.flow.snapshots_match);
    EXPECT_THAT(r.flow.faults, IsEmpty());
    EXPECT_FALSE(r.flow.hazards.empty());
    EXPECT_FALSE(r.correct);
    EXPECT_GT(r.lost().lost, 0);
    EXPECT_EQ(r.lost().performed, 224);
    EXPECT_EQ(r.lost().performed - r.lost().present, r.lost().lost);
    EXPECT_EQ(size_t(r.lost().lost), r.lost().updates.size());
    EXPECT_EQ(b->report.lost().lost, r.lost().lost);
    double counted = 0;
    for (double x : r.output) counted += x;
    EXPECT_EQ(counted, double(r.lost().present));  // what the replay explains is what memory holds
    losses.insert(r.lost().lost);
    // without turns, as from a GPU: another order may explain it, but the same updates are there at the end
    Trace found = a->trace;
    for (Launch& l : found.launches) l.turns.clear();
    const Report g = analyse(found);
    EXPECT_THAT(g.flow.faults, IsEmpty());
    EXPECT_TRUE(g.flow.snapshots_match);
    EXPECT_EQ(g.lost().lost, r.lost().lost);
  }
  EXPECT_GT(losses.size(), 1u);
}

TEST(Kernels, BarriersOfBlellochRoundTheClearAloneAreRedundant) {
  for (const char* kernel : {"scan/blelloch", "scan/kogge-stone", "reduce/tree-mask", "reduce/shared",
                             "histogram/shared-atomics"}) {
    const auto ran = run_it(kernel, numbers(64, 1, 16, 0), 32, schedule(Schedule::to_barrier));
    const std::string& text = ran->trace.sources[size_t(ran->trace.launches[0].source)].text;
    int redundant = 0;
    for (const Barrier& b : barriers(ran->trace, ran->report.flow)) {
      redundant += !b.needed;
      if (b.needed) {
        EXPECT_THAT(b.message.english(), ::testing::HasSubstr("nothing orders the two")) << kernel;
      }
    }
    EXPECT_EQ(redundant, std::string(kernel) == "scan/blelloch" ? 2 : 0) << kernel << text.size();
  }
}

TEST(Kernels, EveryDefaultProblemIsAnsweredCleanly) {
  for (const Algorithm* a : catalog()) {
    if (a->family() == "mistakes") continue;
    RunSpec r;
    r.kernel = a->name;
    const Trace t = run(*a, make_problem(*a, r), Device::cpu, {});
    const Report report = analyse(t);
    EXPECT_THAT(report.flow.faults, IsEmpty()) << a->name;
    EXPECT_TRUE(report.flow.snapshots_match) << a->name;
    for (const Interval& v : report.flow.intervals) {
      arrows(report.flow, v);
      content(t, report.flow, report.words(), v);
      for (int k : v.nodes) {
        const CellRef place = report.flow.nodes[size_t(k)].place;
        EXPECT_FALSE(sentence(why(t, report.flow, report.words(), v, place, 3)).empty());
      }
    }
  }
}

}  // namespace
}  // namespace bscope
