// Queues at one address, and what is lost there without atomics.
#include "engine/analysis/queues.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "engine/analysis/contention.hpp"
#include "engine/analysis/report.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// A histogram of the preset: 7 blocks of 32 threads, 20 of each block's keys in bin 5.
struct RanQueues {
  Trace trace;
  Report report;
};
std::unique_ptr<const RanQueues> histogram(const std::string& kernel,
                                           std::vector<std::pair<std::string, std::string>> set = {}) {
  auto ran = std::make_unique<RanQueues>();
  const Algorithm& a = find("histogram/" + kernel);
  ran->trace = run(a, make_problem(a, {.kernel = a.name, .set = std::move(set), .preset = "queue-7x20"}),
                   Device::cpu, {Schedule::lockstep});
  ran->report = analyse(ran->trace);
  return ran;
}

TEST(Queues, QueuesOfThePreset) {
  const AddressQueues a = address_queues(histogram("global-atomics")->report),
                      b = address_queues(histogram("shared-atomics")->report, 5);
  EXPECT_EQ(a.chosen, 5) << "the one with the most keys";
  EXPECT_EQ(a.place, "bins[5]");
  EXPECT_EQ(a.grid, 7);
  EXPECT_EQ(a.block, 32);
  EXPECT_EQ(a.total, 140);
  EXPECT_EQ(a.shared_longest, 0);
  EXPECT_EQ(a.global_longest, 140);
  EXPECT_EQ(a.waits, 140 * 139 / 2);
  EXPECT_EQ(b.shared_longest, 20);
  EXPECT_EQ(b.global_longest, 7);
  EXPECT_EQ(b.merge_starts, 20);
  EXPECT_EQ(b.total, 27);
  EXPECT_EQ(b.waits, 7 * (20 * 19 / 2) + 7 * 6 / 2);
  // every time unit serves one atomic, of one block
  std::vector<int> served(140);
  for (const auto& row : a.rows) {
    EXPECT_EQ(row.size(), 20u);
    for (const auto& x : row) ++served.at(size_t(x.time));
  }
  EXPECT_EQ(served, std::vector<int>(140, 1));
  for (const auto& row : b.rows) EXPECT_EQ(row.size(), 21u);
  // bins grow with time, to the same counts on both sides
  int all = 0;
  for (int k = 0; k < 16; ++k) {
    EXPECT_EQ(a.counted(k, 1000), b.counted(k, 1000)) << k;
    all += a.counted(k, 1000);
  }
  EXPECT_EQ(all, 224);
  EXPECT_EQ(a.counted(5, 27), 27);
  EXPECT_EQ(b.counted(5, 20), 140) << "all keys are counted when the merge begins";
  EXPECT_EQ(b.counted(5, 10), 70);
}

TEST(Queues, PrivateCopiesAreFoundByTheDataflow) {
  for (const char* copies : {"per-warp", "per-lane"}) {
    const auto ran = histogram("privatised", {{"width", "1"}, {"copies", copies}});
    const AddressQueues side = address_queues(ran->report);
    EXPECT_EQ(side.shared_longest, ran->report.contention().longest_shared) << copies;
    EXPECT_EQ(side.global_longest, 7);
    EXPECT_EQ(side.queues_a_block, std::string(copies) == "per-lane" ? 20 : 1);
    EXPECT_EQ(side.counted(5, 1000), 140);
  }
}

TEST(Losses, AreCountedAndExplained) {
  const auto ran = histogram("racy");
  const Losses m = losses(ran->report, 5);
  EXPECT_EQ(m.performed, 224);
  EXPECT_GT(m.lost, 0);
  long performed = 0, present = 0;
  for (const auto& c : m.cells) performed += c.performed, present += c.present;
  EXPECT_EQ(performed, 224);
  EXPECT_EQ(performed - present, m.lost);
  const auto& bin = m.cells.at(5);
  EXPECT_EQ(bin.performed, 140);
  EXPECT_EQ(m.in_warps + m.in_blocks + m.between_blocks, bin.performed - bin.present);
  EXPECT_NE(m.line.find("++"), std::string::npos);
  // a warp a block, and each reads before it writes; what overtakes it stands in between
  ASSERT_EQ(m.updates.size(), 7u);
  for (const auto& u : m.updates) {
    EXPECT_EQ(u.lanes, 20);
    EXPECT_LT(u.reads_at, u.writes_at);
    EXPECT_EQ(u.wrote[0], u.read[0] + 1);
    for (int step : u.overtaken_at) EXPECT_TRUE(step > u.reads_at && step < u.writes_at);
  }
  ASSERT_EQ(m.keys.size(), size_t(bin.performed - bin.present));
  std::set<std::pair<int, int>> losers;
  for (const LostKey& k : m.keys) {
    EXPECT_TRUE(losers.insert({k.block, k.thread}).second) << "a thread has one key to lose";
    EXPECT_EQ(k.wrote, k.read + 1);
    EXPECT_LT(k.at[0], k.at[1]);
    EXPECT_LT(k.at[1], k.at[3]) << "who overwrites writes later";
    EXPECT_LT(k.at[2], k.at[1]) << "and had read before";
    EXPECT_EQ(k.where == LostUpdate::between_blocks, k.block != k.by_block);
    EXPECT_GT(k.line, 0);
  }
}

TEST(Queues, ARunWithoutAtomicsHasNone) {
  const Algorithm& a = find("scan/blelloch");
  const Trace trace = run(a, make_problem(a, {.kernel = a.name}), Device::cpu, {});
  const AddressQueues none = address_queues(analyse(trace));
  EXPECT_EQ(none.place, "-");
  EXPECT_EQ(none.total, 0);
  EXPECT_EQ(none.rows.size(), size_t(trace.launches.back().grid));
  EXPECT_EQ(none.counted(0, 10), 0);
}

}  // namespace
}  // namespace bscope
