// What lessons claim of more than the run on screen, recomputed for the sizes that they speak of.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/lessons/answers.hpp"
#include "app/measure/library_times.hpp"
#include "app/run/run.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/element.hpp"
#include "tests/analysis/moments_support.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

std::shared_ptr<const Run> run_of(const std::string& kernel, long long n, long long block,
                                  std::vector<std::pair<std::string, std::string>> set = {}) {
  RunSpec r;
  r.kernel = kernel;
  r.n = n;
  if (block) r.block = block;
  r.set = std::move(set);
  return traced_run(r);
}

// tree: "both are the fewest possible"; the second warp asks in all levels but the last, or in none.
TEST(LessonClaims, NeitherTreeHasABankConflictAndOneAsksWithASingleWarp) {
  for (const char* kernel : {"reduce/tree-mask", "reduce/shared"}) {
    const auto run = run_of(kernel, 64, 64);
    const RequestTotals t = total(run->report.requests());
    EXPECT_EQ(t.shared_wavefronts, t.shared_wavefronts_ideal) << kernel;
    const auto& intervals = run->report.flow.intervals;
    for (size_t k = 1; k < intervals.size(); ++k) {
      const auto asked = run->report.requests_of(k);
      const bool second = std::ranges::any_of(asked, [](const WarpAccess& q) { return q.warp == 1; });
      EXPECT_EQ(second, std::string(kernel) == "reduce/tree-mask" && k + 1 < intervals.size())
          << kernel << " step " << k + 1;
    }
  }
}

// unrolling: side by side, each load would reach into all sectors of the block.
TEST(LessonClaims, ABlockApartEachLoadNeedsOneSector) {
  const auto run = run_of("reduce/shared", 64, 8, {{"unroll", "4"}});
  for (const WarpAccess& q : run->report.requests_of(0)) {
    if (q.shared()) continue;
    EXPECT_EQ(q.sectors, 1);
    std::set<uint32_t> side_by_side;
    for (const auto& lane : q.lanes) side_by_side.insert(lane.address % 32 * 4 / sector_bytes);
    EXPECT_EQ(side_by_side.size(), 4u);
  }
}

// kogge-stone-brent-kung: "No two of them make the same sum."
TEST(LessonClaims, KoggeAndStoneMakeNoSumTwice) {
  for (const int n : {16, 64, 256}) {
    const auto run = run_of("scan/kogge-stone", n, n);
    const DataflowGraph& flow = run->report.flow;
    std::set<std::string> sums;
    long adds = 0;
    for (size_t k = 0; k < flow.nodes.size(); ++k)
      if (flow.nodes[k].op == flow.plus) {
        ++adds;
        sums.insert(run->report.words()[k].text());
      }
    EXPECT_EQ(adds, run->report.work().adds);
    EXPECT_EQ(long(sums.size()), adds) << n << " values";
  }
}

// three-phase: close to 2n adds where there are far fewer threads than values, far more where not.
TEST(LessonClaims, ThreePhasesComeCloseToTwiceTheValuesWithFewThreads) {
  long before = 0;
  for (const int threads : {16, 32, 64, 128}) {
    const auto run = run_of("scan/three-phase", 256, threads, {{"items", std::to_string(256 / threads)}});
    const long adds = run->report.work().adds;
    EXPECT_GT(adds, before) << threads << " threads";
    before = adds;
    if (threads == 16) { EXPECT_NEAR(double(adds), 512, 0.05 * 512); }
    if (threads == 128) { EXPECT_GT(adds, 900); }
  }
}

// look-back: integers do not depend on the order, floats do.
TEST(LessonClaims, OnlyFloatsDependOnWhoWasQuicker) {
  std::vector<double> values;
  for (int k = 0; k < 600; ++k) values.push_back((k * 7919 % 1000) / 3.0 * (k % 7 == 0 ? 1000 : 0.01));
  for (const bool floats : {false, true}) {
    std::set<std::vector<double>> outputs;
    for (const char* order : {"to-barrier", "lockstep", "shuffle:5", "shuffle:6"}) {
      RunSpec r;
      r.kernel = "scan/look-back";
      r.values = values;
      if (!floats)
        for (double& v : *r.values) v = double((long long)v);
      r.block = 8;
      r.set = {{"type", floats ? "float" : "int32"}};
      const auto run = open_run(r, Device::cpu, parse_schedule(order));
      EXPECT_TRUE(run->report.correct) << order;
      outputs.insert(run->report.output);
    }
    EXPECT_EQ(outputs.size() > 1, floats);
  }
}

// Ratios are those of the exact medians. A reader has only the times that are shown.
TEST(LessonClaims, TimesThatAReaderDividesGiveTheShownRatio) {
  const auto run = run_of("reduce/shared", 8, 8);
  LessonRuns runs(runs_at_once());
  const auto said = [&](const std::string& what, const std::string& way) {
    std::vector<Mistake> mistakes;
    const std::string text =
        filled("{full-size " + what + " of " + way + "}", 1, LessonStep{}, *run, Cursor{}, runs, mistakes);
    EXPECT_TRUE(mistakes.empty()) << text;
    return text;
  };
  ASSERT_FALSE(library_times().tasks.empty());
  for (const LibraryTimesTask& task : library_times().tasks)
    for (const LibraryTimesWay& way : task.ways) {
      const double mine = std::stod(said("ms", task.task + ": " + way.name)),
                   library = std::stod(said("ms", task.task + ": " + task.ways.back().name));
      EXPECT_EQ(fmt::format("{:.1f}", mine / library), said("ratio", task.task + ": " + way.name))
          << task.task << ", " << way.name;
    }
}

}  // namespace
}  // namespace bscope
