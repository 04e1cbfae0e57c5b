// A run that was handed over as bytes is the run.
#include "engine/analysis/run_serialization.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "engine/analysis/content.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

std::shared_ptr<const Run> run_of(const Algorithm& a, const Schedule& schedule) {
  RunSpec asked;
  asked.kernel = a.name;
  auto made = std::make_shared<Run>();
  made->trace = run(a, make_problem(a, asked), Device::cpu, schedule);
  made->report = analyse(made->trace);
  return made;
}

std::vector<std::byte> bytes_of(const Run& r) {
  std::vector<std::byte> all;
  serialize_run(r, [&](std::span<const std::byte> b) { all.insert(all.end(), b.begin(), b.end()); });
  return all;
}

std::shared_ptr<const Run> from_bytes(Trace t, std::span<const std::byte> bytes) {
  auto r = deserialize_run(std::move(t), [&](std::span<std::byte> into) {
    if (into.size() > bytes.size()) throw std::runtime_error("more is read than was written");
    if (!into.empty()) std::memcpy(into.data(), bytes.data(), into.size());
    bytes = bytes.subspan(into.size());
  });
  EXPECT_TRUE(bytes.empty()) << bytes.size() << " bytes were written and not read";
  return r;
}

void expect_same(const Run& a, const Run& b) {
  const DataflowGraph &f = a.report.flow, &g = b.report.flow;
  EXPECT_EQ(f.intervals.size(), g.intervals.size());
  for (size_t k = 0; k < std::min(f.intervals.size(), g.intervals.size()); ++k) {
    const Interval &v = f.intervals[k], &w = g.intervals[k];
    EXPECT_EQ(v.phase, w.phase);
    EXPECT_TRUE(std::ranges::equal(v.shared, w.shared));
    if (!w.shared.empty()) EXPECT_NE(v.shared.data(), w.shared.data()) << "it is to have memory of its own";
    EXPECT_EQ(holders(a.trace, f, v), holders(b.trace, g, w));
  }
  ASSERT_EQ(f.hazards.size(), g.hazards.size());
  for (size_t k = 0; k < f.hazards.size(); ++k)
    EXPECT_EQ(to_fields_json(f.hazards[k]), to_fields_json(g.hazards[k]));
  EXPECT_EQ(f.faults, g.faults);
  EXPECT_EQ(f.last, g.last);
  EXPECT_EQ(f.vectors, g.vectors);
  EXPECT_EQ(f.blocks_meet, g.blocks_meet);
  EXPECT_EQ(a.report.correct, b.report.correct);
  EXPECT_EQ(a.report.output, b.report.output);
  EXPECT_EQ(a.report.span(), b.report.span());
  EXPECT_EQ(a.report.lost().lost, b.report.lost().lost);
  ASSERT_EQ(a.report.words().size(), b.report.words().size());
  for (size_t k = 0; k < a.report.words().size(); ++k)
    ASSERT_EQ(a.report.words()[k], b.report.words()[k]) << "node " << k;
}

TEST(RunBytes, AreTheRunForEveryKernelAndSchedule) {
  for (const Algorithm* a : catalog())
    for (const auto& [kind, seed] : {std::pair(Schedule::to_barrier, 0u), std::pair(Schedule::lockstep, 0u),
                                     std::pair(Schedule::shuffled, 7u)}) {
      SCOPED_TRACE(a->name);
      const auto made = run_of(*a, {kind, seed});
      const auto bytes = bytes_of(*made);
      const auto back = from_bytes(made->trace, bytes);
      expect_same(*made, *back);
      EXPECT_EQ(bytes_of(*back), bytes);
    }
}

TEST(RunBytes, KeepMemoryThatNoSnapshotHolds) {
  RunSpec asked;
  asked.kernel = "scan/blelloch";
  const Algorithm& a = find(asked.kernel);
  auto made = std::make_shared<bscope::Run>();
  made->trace = run(a, make_problem(a, asked), Device::cpu, {});
  for (Launch& l : made->trace.launches)
    for (BlockRun& b : l.blocks)
      if (!b.snapshots.empty()) b.snapshots[0] ^= std::byte{1};
  made->report = analyse(made->trace);
  ASSERT_FALSE(made->report.flow.snapshots_match);
  ASSERT_FALSE(made->report.flow.own_memory.empty());
  const auto bytes = bytes_of(*made);
  const auto back = from_bytes(made->trace, bytes);
  expect_same(*made, *back);
  EXPECT_EQ(bytes_of(*back), bytes);
}

}  // namespace
}  // namespace bscope
