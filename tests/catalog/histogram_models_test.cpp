// Every histogram with bins of the block against a model written from the definition, and what the lessons
// say of queues and atomics.
#include <gmock/gmock.h>

#include <set>
#include <tuple>

#include "engine/analysis/contention.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "tests/catalog/blocks.hpp"

namespace bscope::test {
namespace {

using BinCells = std::vector<int32_t>;
using Settings = std::vector<std::pair<std::string, std::string>>;

struct Ran {
  Problem problem;
  Trace trace;
  Report report;
};
/// Heap, since a report points to its trace.
std::unique_ptr<Ran> run_it(const std::string& kernel, const RunSpec& request) {
  const Algorithm& a = find(kernel);
  auto ran = std::make_unique<Ran>();
  ran->problem = make_problem(a, request);
  ran->trace = run(a, ran->problem, Device::cpu, {}, [](const Trace& t) { return order_matters(t); });
  ran->report = analyse(ran->trace);
  return ran;
}
RunSpec keys(int n, int block, const std::function<int(int)>& key, Settings set) {
  RunSpec r;
  r.values.emplace();
  for (int k = 0; k < n; ++k) r.values->push_back(key(k));
  r.block = block;
  r.set = std::move(set);
  return r;
}
int scattered(int k) { return int((uint32_t(k) * 2654435761u >> 13) % 7u); }

/// Which block takes key k, and into which cell of its bins it goes.
using Place = std::function<std::pair<int, int>(int k, int key)>;

/// Holds the bins of every block after each barrier against the keys that it must have counted.
void compare_bins(const std::string& kernel, const Problem& p, int grid, int cells, const Place& place) {
  const Trace t = run(find(kernel), p, Device::cpu);
  ASSERT_TRUE(t.findings.empty());
  ASSERT_EQ(t.launches.size(), 1u);
  const Launch& l = t.launches[0];
  ASSERT_EQ(l.grid, grid);
  ASSERT_EQ(l.shared[0].size, cells);
  const BinCells empty(static_cast<size_t>(cells));
  std::vector<BinCells> counted(static_cast<size_t>(grid), empty);
  for (int k = 0; k < p.n(); ++k) {
    const auto [block, cell] = place(k, int(p.data[size_t(k)]));
    ++counted[size_t(block)][size_t(cell)];
  }
  for (int b = 0; b < grid; ++b) {
    const auto& bytes = l.blocks[size_t(b)].snapshots;
    std::vector<BinCells> states;
    for (size_t at = 0; at < bytes.size(); at += l.shared_bytes) {
      BinCells s = empty;
      std::memcpy(s.data(), bytes.data() + at, s.size() * 4);
      states.push_back(s);
    }
    const std::vector<BinCells> want{empty, counted[size_t(b)], counted[size_t(b)]};
    ASSERT_EQ(states, want) << "block " << b << ": cleared, counted, still there";
  }
}
std::string name(int n, int block, const std::string& more) {
  return "n " + std::to_string(n) + " block " + std::to_string(block) + " " + more;
}

TEST(HistogramModels, SharedAtomics) {
  const Algorithm& a = find("histogram/shared-atomics");
  for (int block : blocks_to_try(a))
    for (int n : {1, block + 1, 3 * block - 1}) {
      SCOPED_TRACE(name(n, block, ""));
      const Problem p = make_problem(a, keys(n, block, scattered, {{"bins", "7"}}));
      compare_bins(a.name, p, (n + block - 1) / block, 7,
                   [=](int k, int key) { return std::pair(k / block, key); });
      if (HasFatalFailure()) return;
    }
}
TEST(HistogramModels, Coarsened) {
  const Algorithm& a = find("histogram/coarsened");
  for (int items : {1, 2, 4, 8, 16, 32, 64})
    for (int block : {1, 2, 5, 31, 32, 33, 64, 100, 256, 1024})
      for (const char* access : {"contiguous", "block-strided", "grid-strided"}) {
        const int tile = block * items;
        for (int n : {1, tile, 2 * tile + tile / 2 + 1}) {
          if (n > 20000) continue;
          SCOPED_TRACE(name(n, block, access) + " items " + std::to_string(items));
          const Problem p =
              make_problem(a, keys(n, block, scattered,
                                   {{"bins", "7"}, {"items", std::to_string(items)}, {"access", access}}));
          const int grid = (n + tile - 1) / tile;
          // A block's keys lie together, or one block's width of them in each width of the grid.
          const bool of_grid = access == std::string("grid-strided");
          compare_bins(a.name, p, grid, 7,
                       [=](int k, int key) { return std::pair(of_grid ? k / block % grid : k / tile, key); });
          if (HasFatalFailure()) return;
        }
      }
}
TEST(HistogramModels, Privatised) {
  const Algorithm& a = find("histogram/privatised");
  for (int block : blocks_to_try(a))
    for (int width : {1, 4, 16}) {
      if (width > 1 && block > 70 && block % 64) continue;
      for (const char* copies : {"per-warp", "per-lane"})
        for (int most : {2, 264}) {
          const int n = width * (3 * block - block / 3) + width / 2;
          const int grid = std::min(most, (n + block * width - 1) / (block * width)), threads = grid * block;
          SCOPED_TRACE(name(n, block, copies) + " width " + std::to_string(width));
          const Problem p = make_problem(a, keys(n, block, scattered,
                                                 {{"bins", "7"},
                                                  {"copies", copies},
                                                  {"width", std::to_string(width)},
                                                  {"blocks", std::to_string(most)}}));
          const bool per_lane = copies == std::string("per-lane");
          compare_bins(a.name, p, grid, 7 * (per_lane ? 32 : (block + 31) / 32), [=](int k, int key) {
            // Whole vectors in turn, then what is left of less than one.
            const int whole = n / width * width, taker = (k < whole ? k / width : k - whole) % threads;
            const int thread = taker % block;
            return std::pair(taker / block, per_lane ? key * 32 + thread % 32 : thread / 32 * 7 + key);
          });
          if (HasFatalFailure()) return;
        }
    }
}

// --- queues

std::pair<int, int> queues(const std::string& kernel, Settings set) {
  RunSpec r;
  r.preset = "queue-7x20";
  r.set = std::move(set);
  const auto ran = run_it(kernel, r);
  EXPECT_TRUE(ran->report.correct) << kernel;
  return {ran->report.contention().longest_shared, ran->report.contention().longest_global};
}
TEST(QueuePreset, NewRungsHaveTheQueuesThatFollowFromIt) {
  // 7 blocks of 32 keys, 20 of each in bin 5, in the same places of each block.
  EXPECT_EQ(queues("histogram/serial", {}), std::pair(0, 0)) << "one thread, no atomic";
  for (const char* access : {"contiguous", "block-strided", "grid-strided"}) {
    // A block of 32 threads takes `items` of the 7, the last block what is left; each adds bin 5 once.
    EXPECT_EQ(queues("histogram/coarsened", {{"items", "1"}, {"access", access}}), std::pair(20, 7))
        << access;
    EXPECT_EQ(queues("histogram/coarsened", {{"items", "2"}, {"access", access}}), std::pair(40, 4))
        << access;
    EXPECT_EQ(queues("histogram/coarsened", {{"items", "4"}, {"access", access}}), std::pair(80, 2))
        << access;
    EXPECT_EQ(queues("histogram/coarsened", {{"items", "8"}, {"access", access}}), std::pair(140, 1))
        << access;
    EXPECT_EQ(queues("histogram/coarsened", {{"items", "64"}, {"access", access}}), std::pair(140, 1))
        << access;
  }
  // One warp a block: its copy is the block's. A copy a lane: each lane has one key of each 32, and 20 lanes
  // have bin 5 every time.
  EXPECT_EQ(queues("histogram/privatised", {{"width", "1"}, {"copies", "per-warp"}}), std::pair(20, 7));
  EXPECT_EQ(queues("histogram/privatised", {{"width", "1"}, {"copies", "per-lane"}}), std::pair(1, 7));
  EXPECT_EQ(queues("histogram/privatised", {{"width", "1"}, {"copies", "per-warp"}, {"blocks", "1"}}),
            std::pair(140, 1));
  EXPECT_EQ(queues("histogram/privatised", {{"width", "1"}, {"copies", "per-lane"}, {"blocks", "1"}}),
            std::pair(7, 1));
  // Four neighbours a lane: the first block has 128 keys, 80 of them in bin 5; of the 8 fours in each 32
  // keys, the first has bin 5 three times, none has it four times.
  EXPECT_EQ(queues("histogram/privatised", {{"width", "4"}, {"copies", "per-warp"}}), std::pair(80, 2));
  EXPECT_EQ(queues("histogram/privatised", {{"width", "4"}, {"copies", "per-lane"}}), std::pair(3, 2));
}

struct Atomics {
  long shared = 0, global = 0;
};
Atomics atomics(const Trace& t) {
  Atomics n;
  for (const Launch& l : t.launches)
    for (const BlockRun& b : l.blocks)
      for (const Event& e : b.events)
        if (is_atomic(e.op)) ++(e.array >= first_shared ? n.shared : n.global);
  return n;
}
TEST(Coarsened, TradesGlobalAtomicsForLongerSharedQueues) {
  const int n = 4096, block = 32, bins = 16;
  for (int items : {1, 2, 4, 8, 16, 32, 64})
    for (const char* access : {"contiguous", "block-strided", "grid-strided"}) {
      SCOPED_TRACE(std::string(access) + " items " + std::to_string(items));
      const Settings set{{"bins", "16"}, {"items", std::to_string(items)}, {"access", access}};
      const int tile = block * items, blocks = n / tile;
      // One key: all of a block's keys queue in shared memory, one atomic of each block in global memory.
      const auto one = run_it("histogram/coarsened", keys(
                                                         n, block, [](int) { return 3; }, set));
      EXPECT_EQ(one->report.contention().longest_shared, tile);
      EXPECT_EQ(one->report.contention().longest_global, blocks);
      EXPECT_EQ(atomics(one->trace).shared, n) << "one a datum, whatever the items";
      EXPECT_EQ(atomics(one->trace).global, blocks) << "1 / (32 items) a datum";
      // Every key equally often in every 16: the queues are a 16th as long, and each block adds all bins.
      const auto all = run_it("histogram/coarsened", keys(
                                                         n, block, [](int k) { return k % 16; }, set));
      EXPECT_EQ(all->report.contention().longest_shared, tile / bins);
      EXPECT_EQ(all->report.contention().longest_global, blocks);
      EXPECT_EQ(atomics(all->trace).shared, n);
      EXPECT_EQ(atomics(all->trace).global, bins * blocks);
    }
}
TEST(Coarsened, OnlyStridesCoalesce) {
  const int n = 4096, block = 64;
  for (int items : {1, 2, 8, 32, 64})
    for (const char* access : {"contiguous", "block-strided", "grid-strided"}) {
      const auto ran = run_it(
          "histogram/coarsened",
          keys(n, block, scattered, {{"bins", "7"}, {"items", std::to_string(items)}, {"access", access}}));
      // A warp asks for 32 bytes: side by side in one sector, or `items` bytes apart in as many, at most 32.
      const int sectors = access == std::string("contiguous") ? std::min(items, 32) : 1;
      int requests = 0;
      for (const WarpAccess& q : ran->report.requests())
        if (q.array == ran->trace.input) {
          ++requests;
          EXPECT_EQ(q.sectors, sectors) << access << " items " << items;
        }
      EXPECT_EQ(requests, n / 32);
    }
}

// Of each round of `for (b = t; b < bins; b += block)`, a warp asks once if a lane of it has counted
// something.
TEST(Histograms, AddToTheGridOnceARoundOfEachWarp) {
  const auto atomics_of = [](const Ran& ran) {
    long n = 0;
    for (const WarpAccess& q : ran.report.requests())
      n += !q.shared() && is_atomic(q.op) && q.array == ran.trace.output;
    return n;
  };
  for (const char* kernel : {"histogram/shared-atomics", "histogram/coarsened"}) {
    for (const auto& values :
         std::vector<std::vector<double>>{{20, 33}, {5, 33}, {33}, {8, 39}, {0, 20, 32, 33}}) {
      RunSpec r;
      r.values = values;
      r.block = 32;
      r.set = {{"bins", "40"}};
      std::set<int> rounds;
      for (double v : values) rounds.insert(int(v) / 32);
      EXPECT_EQ(atomics_of(*run_it(kernel, r)), long(rounds.size())) << kernel << ' ' << values[0];
    }
  }
  for (const int bins : {7, 33, 70, 100, 250})
    for (const int block : {32, 48, 96}) {
      std::set<std::tuple<int, int, int>> rounds;  // block, round, warp
      for (int k = 0; k < 200; ++k) {
        const int bin = scattered(k) * 37 % bins;
        rounds.insert({k / block, bin / block, bin % block / 32});
      }
      const auto ran =
          run_it("histogram/shared-atomics", keys(200, block, [&](int k) { return scattered(k) * 37 % bins; },
                                                  {{"bins", std::to_string(bins)}}));
      EXPECT_EQ(atomics_of(*ran), long(rounds.size())) << bins << " bins, block " << block;
    }
}

TEST(Privatised, OneCopyALaneHasNoConflictWhateverTheKeys) {
  for (const auto& key : std::vector<std::function<int(int)>>{
           [](int) { return 5; }, [](int k) { return k % 8 * 32 + 3; }, [](int k) { return k * 37 % 256; }}) {
    const auto lanes = run_it("histogram/privatised", keys(1024, 128, key, {{"copies", "per-lane"}}));
    const auto warps = run_it("histogram/privatised", keys(1024, 128, key, {{"copies", "per-warp"}}));
    for (const WarpAccess& q : lanes->report.requests())
      if (q.shared()) { EXPECT_EQ(q.wavefronts, 1) << "line " << q.line; }
    EXPECT_GE(total(warps->report.requests()).shared_atomic_wavefronts,
              total(lanes->report.requests()).shared_atomic_wavefronts);
  }
  // One key, 4 warps of one block: a warp's 32 lanes queue for its copy; a copy of a lane has one of each
  // warp.
  auto longest = [&](const char* copies) {
    return run_it("histogram/privatised",
                  keys(128, 128, [](int) { return 5; }, {{"copies", copies}, {"width", "1"}}))
        ->report.contention()
        .longest_shared;
  };
  EXPECT_EQ(longest("per-warp"), 32);
  EXPECT_EQ(longest("per-lane"), 4);
}

TEST(Serial, NeedsNoAtomicAndHasNoRace) {
  for (int block : {1, 32, 100}) {
    const auto ran = run_it("histogram/serial", keys(500, block, scattered, {{"bins", "7"}}));
    EXPECT_TRUE(ran->report.correct);
    EXPECT_EQ(ran->report.flow.hazards_found, 0u);
    EXPECT_EQ(atomics(ran->trace).shared + atomics(ran->trace).global, 0);
    EXPECT_EQ(ran->report.work().adds, 500);
    EXPECT_EQ(double(ran->report.span()), ran->trace.formulas[1].value);
    EXPECT_EQ(ran->trace.launches[0].grid, 1);
  }
}
TEST(Racy, StillLosesWhatTheOthersKeep) {
  const auto key = [](int k) { return k % 2; };
  const auto racy = run_it("histogram/racy", keys(256, 64, key, {{"bins", "2"}}));
  EXPECT_GT(racy->report.lost().lost, 0);
  for (const char* kernel : {"histogram/serial", "histogram/coarsened", "histogram/privatised"}) {
    const auto ran = run_it(kernel, keys(256, 64, key, {{"bins", "2"}}));
    EXPECT_TRUE(ran->report.correct) << kernel;
    EXPECT_EQ(ran->report.lost().lost, 0) << kernel;
  }
}

}  // namespace
}  // namespace bscope::test
