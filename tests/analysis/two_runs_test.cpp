// Two runs side by side, and a run as rows and columns.
#include "engine/analysis/two_runs.hpp"

#include <gtest/gtest.h>

#include "app/run/run.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/request_choice.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

std::shared_ptr<const Run> traced(const std::string& kernel, long long n, long long block = 0) {
  RunSpec r{.kernel = kernel};
  if (n) r.n = n;
  if (block) r.block = block;
  return open_run(r);
}
TwoRuns of(const std::string& left, const std::string& right, long long n) {
  return two_runs(traced(left, n)->report, traced(right, n)->report);
}

TEST(RunRows, CountsEachInterval) {
  const auto run = traced("scan/blelloch", 16, 8);
  const RunRows side = run_rows(run->report);
  EXPECT_EQ(side.figures[0].columns, 16);
  EXPECT_TRUE(side.figures[0].cells);
  EXPECT_EQ(side.adds, 30);
  EXPECT_EQ(side.rows[0].name, "load");
  EXPECT_EQ(side.rows[1].name, "up-sweep #1");
  EXPECT_EQ(side.rows[1].adds, 8);
  ASSERT_EQ(side.rows[1].dots.size(), 8u);
  EXPECT_EQ(side.rows[1].dots[0].column, 1);
  EXPECT_EQ(side.rows[1].dots[0].from, std::vector<int>{0});
  EXPECT_TRUE(side.rows[1].dots[0].add);
  EXPECT_TRUE(side.rows[1].dots[0].self);
  // the last cell of the exclusive scan comes from all cells but itself
  int lineage = 0;
  for (const auto& d : side.rows[0].dots) lineage += d.lineage;
  EXPECT_EQ(lineage, 15);
}

TEST(RunRows, BuffersThatTakeTurnsStandOnTheSameColumns) {
  const RunRows two = run_rows(traced("scan/hillis-steele", 16, 8)->report),
                one = run_rows(traced("scan/kogge-stone", 16, 8)->report);
  EXPECT_EQ(two.figures[0].columns, 16);
  EXPECT_EQ(two.figures[0].columns, one.figures[0].columns);
  EXPECT_EQ(two.adds, one.adds);
  // in each level what stands left of a cell by the stride goes into it
  int stride = 1;
  for (const auto& row : two.rows) {
    if (row.launch > 0 || row.phase != "doubling") continue;
    for (const auto& d : row.dots)
      EXPECT_EQ(d.from, d.column % 8 >= stride ? std::vector{d.column - stride} : std::vector<int>{})
          << row.name;
    stride *= 2;
  }
  EXPECT_EQ(stride, 8);
}

TEST(RunRows, EveryKernelHasAFigureWhoseRowsAddUp) {
  for (const Algorithm* a : catalog()) {
    SCOPED_TRACE(a->name);
    for (long long n : {0ll, 200ll, 3000ll}) {
      std::shared_ptr<const bscope::Run> run;
      try {
        run = traced(a->name, n);
      } catch (const UsageError&) {
        continue;  // a size that this kernel refuses
      }
      const RunRows side = run_rows(run->report);
      const DataflowGraph& flow = run->report.flow;
      if (flow.intervals.empty()) continue;
      const RequestTotals sums = total(run->report.requests());
      long adds = 0, atomics = 0, dots = 0;
      std::vector<long> counts(side.counted.size());
      for (const auto& r : side.rows) {
        adds += r.adds, atomics += r.atomics;
        for (size_t f = 0; f < counts.size(); ++f) counts[f] += r.counts[f];
        dots += long(r.dots.size());
        for (const auto& part : r.parts) dots += part.adds + part.copies;
        for (const auto& d : r.dots) {
          ASSERT_GE(d.column, 0);
          ASSERT_LT(d.column, side.figures[size_t(r.launch)].columns);
          for (int from : d.from) ASSERT_LT(from, side.figures[size_t(r.launch)].columns);
        }
      }
      long all_atomics = 0;
      for (const Node& node : flow.nodes) all_atomics += is_atomic(node.op);
      EXPECT_EQ(adds, run->report.work().adds);
      EXPECT_EQ(atomics, all_atomics);
      ASSERT_GE(counts.size(), 2u) << "wavefronts and sectors, and whatever else adds up";
      for (size_t f = 0; f < counts.size(); ++f)
        EXPECT_EQ(counts[f], side.counted[f]->of_run(run->report)) << side.counted[f]->words;
      EXPECT_EQ(fact_named("shared_wavefronts")->of_run(run->report), sums.shared_wavefronts);
      EXPECT_EQ(fact_named("global_sectors")->of_run(run->report), request_sums(*run).sectors());
      EXPECT_GT(dots, 0) << "an empty half panel";
    }
  }
}

TEST(RunRows, ManyColumnsAreCountedInPartsThatBlocksShare) {
  // 391 blocks of 256 threads: no screen has a pixel for each
  const auto run = traced("reduce/shared", 100'000);
  const RunRows side = run_rows(run->report);
  const auto& f = side.figures[0];
  EXPECT_EQ(f.all, 391 * 256);
  EXPECT_EQ(256 % f.part, 0) << "a block is whole parts";
  for (const auto& row : side.rows) {
    if (row.launch != 0 || row.adds == 0) continue;
    long adds = 0;
    for (const auto& part : row.parts) {
      adds += part.adds;
      EXPECT_LE(part.adds + part.copies, f.part);
    }
    EXPECT_EQ(adds, row.adds) << row.name << ": each add writes a column of its own";
    for (int block = 1; block < 390; ++block)  // the last one has fewer elements
      EXPECT_EQ(row.parts[size_t(block * f.in_block())].adds, row.parts[0].adds) << row.name;
  }
  EXPECT_EQ(columns_together(100'096, 256, 528), 256);
  EXPECT_EQ(columns_together(100'096, 256, 2048), 64);
  EXPECT_EQ(columns_together(100'000, 100'000, 528), 200);
  EXPECT_EQ(columns_together(100, 4, 20), 8) << "whole blocks";
  EXPECT_EQ(columns_together(64, 64, 2048), 1);
}

TEST(RunRows, RoundsOfShufflesAreRows) {
  const auto run = traced("reduce/warp-shuffle", 32);
  const RunRows side = run_rows(run->report);
  int rounds = 0;
  for (const auto& r : side.rows) rounds = std::max(rounds, r.round);
  EXPECT_EQ(rounds, 5) << "log2 of 32 lanes";
  for (const auto& r : side.rows)
    if (r.round > 0 && r.interval == side.rows.back().interval) { EXPECT_EQ(r.adds, 32); }
}

TEST(TwoRuns, KeepsStepByIntervalPhaseAndWork) {
  const TwoRuns c = of("scan/kogge-stone", "scan/blelloch", 32);
  const int left = int(c.sides[0].rows.size()), right = int(c.sides[1].rows.size());
  for (const auto& steps : c.steps) {
    EXPECT_EQ(steps.back()[0], left - 1);
    EXPECT_EQ(steps.back()[1], right - 1);
    for (size_t k = 1; k < steps.size(); ++k)
      for (size_t s = 0; s < 2; ++s) {
        EXPECT_GE(steps[k][s], steps[k - 1][s]) << "nobody goes back";
        EXPECT_LE(steps[k][s], steps[k - 1][s] + 1 + (&steps == &c.steps[2]) * right);
      }
  }
  const auto& by_interval = c.steps[size_t(SyncBy::interval)];
  EXPECT_EQ(int(by_interval.size()), std::max(left, right));
  EXPECT_EQ(by_interval[3], (std::array<int, 2>{3, 3}));
  // phases of one name begin together: both load first
  const TwoRuns same = of("scan/blelloch", "scan/blelloch-padded", 32);
  for (const auto& step : same.steps[size_t(SyncBy::phase)])
    EXPECT_EQ(same.sides[0].rows[size_t(step[0])].phase, same.sides[1].rows[size_t(step[1])].phase);
  // the same share of the work is done
  const auto share = [&](size_t s, int row) {
    long sum = 0;
    for (int r = 0; r <= row; ++r) sum += c.sides[s].rows[size_t(r)].adds;
    return double(sum) / double(c.sides[s].adds);
  };
  for (const auto& step : c.steps[size_t(SyncBy::work)]) {
    const double done = std::max(share(0, step[0]), share(1, step[1]));
    for (size_t s = 0; s < 2; ++s)
      if (step[s] + 1 < int(c.sides[s].rows.size())) { EXPECT_GT(share(s, step[s] + 1), done - 1e-9); }
  }
}

TEST(TwoRuns, FindARowsPosition) {
  const TwoRuns c = of("scan/kogge-stone", "scan/blelloch", 32);
  for (int sync = 0; sync < sync_modes; ++sync)
    for (size_t side = 0; side < 2; ++side)
      for (int row = 0; row < int(c.sides[side].rows.size()); ++row) {
        const auto& steps = c.steps[size_t(sync)];
        const int at = position_of(c, SyncBy(sync), side, row);
        EXPECT_GE(steps[size_t(at)][side], row);
        if (at > 0) { EXPECT_LT(steps[size_t(at) - 1][side], row) << "the first that shows it"; }
      }
}

TEST(TwoRuns, CountAlikeOrNot) {
  EXPECT_TRUE(counts_alike(of("scan/blelloch", "scan/blelloch", 32)));
  EXPECT_FALSE(counts_alike(of("scan/kogge-stone", "scan/blelloch", 32)));
}

}  // namespace
}  // namespace bscope
