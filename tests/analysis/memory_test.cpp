// Requests, contention and lost updates: what a run asks of the memory.
#include <gmock/gmock.h>

#include "engine/analysis/contention.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "tests/analysis/hand_run.hpp"

namespace bscope {
namespace {

using test::HandRun;
using test::Value;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// One request of a warp: each lane's index.
WarpAccess ask(const std::vector<int>& indices, bool shared) {
  HandRun run(32);
  const int cells = 4096;
  const int g = run.global("g", std::vector<int32_t>(cells)), s = run.shared("s", cells);
  for (size_t lane = 0; lane < indices.size(); ++lane)
    run.store(int(lane), 3, shared ? s : g, indices[lane], {0, 1});
  const Trace t = run.trace();
  const auto all = requests(t, replay_trace(t));
  EXPECT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].lanes.size(), indices.size());
  return all[0];
}
std::vector<int> strided(int lanes, int stride, int first = 0) {
  std::vector<int> v;
  for (int k = 0; k < lanes; ++k) v.push_back(first + k * stride);
  return v;
}

TEST(Banks, CountWavefronts) {
  auto wavefronts = [](const std::vector<int>& indices) {
    const WarpAccess r = ask(indices, true);
    return std::pair(r.wavefronts, r.ideal);
  };
  EXPECT_EQ(wavefronts(strided(32, 1)), std::pair(1, 1));
  EXPECT_EQ(wavefronts(strided(32, 2)), std::pair(2, 1));
  EXPECT_EQ(wavefronts(strided(32, 32)), std::pair(32, 1));
  EXPECT_EQ(wavefronts(strided(32, 33)), std::pair(1, 1));
  EXPECT_EQ(wavefronts(strided(32, 0)), std::pair(1, 1));  // a broadcast
  EXPECT_EQ(wavefronts(strided(16, 32)), std::pair(16, 1));
  EXPECT_EQ(wavefronts({0, 32, 0, 32, 1}), std::pair(2, 1));
}

TEST(Banks, ServeHalfWarpsOfWideElementsTogetherOnlyIfOneWavefrontHoldsThem) {
  auto wavefronts = [](int lanes, int stride) {
    HandRun run(32);
    const int s = run.shared("s", 128);
    for (int t = 0; t < lanes; ++t) {
      run.together(t, 2, s, 2);
      for (int k = 0; k < 2; ++k) run.store(t, 2, s, 2 * t * stride + k, {});
    }
    const Trace t = run.trace();
    const auto all = requests(t, replay_trace(t));
    EXPECT_THAT(all, SizeIs(1));
    return std::pair(all[0].wavefronts, all[0].ideal);
  };
  EXPECT_EQ(wavefronts(32, 0), std::pair(1, 1));  // a broadcast
  EXPECT_EQ(wavefronts(32, 1), std::pair(2, 2));
  EXPECT_EQ(wavefronts(16, 1), std::pair(1, 1));
  EXPECT_EQ(wavefronts(32, 2), std::pair(4, 2));
}

TEST(Sectors, CountWhatIsTouchedAndTheFewestThatCouldDo) {
  auto sectors = [](const std::vector<int>& indices) {
    const WarpAccess r = ask(indices, false);
    return std::pair(r.sectors, r.ideal_sectors);
  };
  EXPECT_EQ(sectors(strided(32, 1)), std::pair(4, 4));
  EXPECT_EQ(sectors(strided(32, 1, 1)), std::pair(5, 4));
  EXPECT_EQ(sectors(strided(32, 8)), std::pair(32, 4));
  EXPECT_EQ(sectors(strided(32, 0)), std::pair(1, 1));
  EXPECT_EQ(sectors({7, 8}), std::pair(2, 1));
}

TEST(Requests, GoByWarpLineOpArrayAndOccurrence) {
  HandRun run(40);
  const int s = run.shared("s", 40), g = run.global("g", std::vector<int32_t>(40));
  for (int t = 0; t < 40; ++t) {
    run.store(t, 2, s, t, {0, t});
    const Value a = run.load(t, 3, s, t), b = run.load(t, 3, s, t);  // s[t] + s[t]: two requests
    run.store(t, 3, g, t, run.add(t, 3, a, b));
  }
  run.barrier(4);
  run.load(39, 3, s, 0);
  const Trace t = run.trace();
  const auto all = requests(t, replay_trace(t));
  ASSERT_THAT(all, SizeIs(9));  // 2 warps x (store, load, load, store), and one
  EXPECT_EQ(all[0].op, Op::store);
  EXPECT_EQ(all[0].lanes_in_warp, 32);
  EXPECT_EQ(all[1].occurrence, 0);
  EXPECT_EQ(all[2].occurrence, 1);
  EXPECT_EQ(all[4].warp, 1);
  EXPECT_EQ(all[4].lanes_in_warp, 8);
  EXPECT_EQ(all[4].lanes.size(), 8u);
  EXPECT_EQ(all[8].interval, 1);
  EXPECT_EQ(all[8].lanes[0].lane, 7);
  const RequestTotals sum = total(all);
  EXPECT_EQ(sum.shared_requests, 7);
  EXPECT_EQ(sum.global_requests, 2);
  EXPECT_EQ(sum.shared_load_wavefronts, 5);
  EXPECT_EQ(sum.shared_store_wavefronts, 2);
  EXPECT_EQ(sum.global_sectors, 5);
  const Report r = analyse(t);
  EXPECT_EQ(r.requests_of(0).size(), 8u);
  EXPECT_EQ(r.requests_of(1).size(), 1u);
}

// for (b...) { count = s[b]; if (count > 0) g[b] = count; }: a lane that does not store on one trip stores
// together with the others on the next, as an H200 counted it.
TEST(Requests, OfLoopsGoByTripWhereTheDataDecide) {
  HandRun run(32);
  const int s = run.shared("s", 96), g = run.global("g", std::vector<int32_t>(96));
  for (int t = 0; t < 32; ++t)
    for (int trip = 0; trip < 3; ++trip) {
      const Value count = run.load(t, 2, s, 32 * trip + t);
      run.branch(t, 0, count);
      if (trip != t % 2)
        run.store(t, 3, g, 32 * trip + t, count);  // even lanes not on the first, odd not on the second
    }
  const Trace t = run.trace();
  std::vector<size_t> lanes;
  for (const WarpAccess& r : requests(t, replay_trace(t)))
    if (r.op == Op::store) lanes.push_back(r.lanes.size());
  EXPECT_THAT(lanes, UnorderedElementsAre(16u, 16u, 32u));
}

TEST(Requests, TakeTheCellsOfAVectorTogether) {
  HandRun run(32);
  const int g = run.global("g", std::vector<int32_t>(128)), s = run.shared("s", 128);
  for (int t = 0; t < 32; ++t)
    for (int array : {g, s}) {
      run.together(t, array == g ? 2 : 3, array, 4);
      for (int k = 0; k < 4; ++k) run.store(t, array == g ? 2 : 3, array, 4 * t + k, {});
    }
  const Trace t = run.trace();
  const auto all = requests(t, replay_trace(t));
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].lanes[1].bytes, 16);
  EXPECT_EQ(all[0].sectors, 16);
  EXPECT_EQ(all[0].ideal_sectors, 16);
  EXPECT_EQ(all[1].wavefronts, 4);  // by quarter warps
  EXPECT_EQ(all[1].ideal, 4);
}

TEST(Divergence, ComparesWithActiveLanesPackedIntoFewWarps) {
  HandRun run(64);
  const int g = run.global("g", std::vector<int32_t>(64));
  for (int t = 0; t < 64; ++t) {
    run.load(t, 2, g, t);
    if (t % 2 == 0) run.load(t, 3, g, t);
  }
  const Trace t = run.trace();
  const auto all = divergence(t, requests(t, replay_trace(t)));
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].line, 2);
  EXPECT_EQ(all[0].executed_over_ideal, 1);
  EXPECT_EQ(all[1].requests, 2);
  EXPECT_EQ(all[1].active, 32);
  EXPECT_EQ(all[1].lanes, 64);
  EXPECT_EQ(all[1].executed_over_ideal, 2);
}

TEST(Contention, QueuesAtomicsOnOneAddress) {
  HandRun run(4, 2);
  const int g = run.global("g", {0, 0}), s = run.shared("s", 2);
  for (int b : {0, 1}) {
    for (int i = 0; i < 4; ++i) run.store(4 * b, 1, s, i / 2, {});
    run.barrier(2, b);
    for (int i = 0; i < 4; ++i) run.atomic(4 * b + i, 3, Op::atomic_add, s, 0, {0, 1});
    run.barrier(4, b);
    run.atomic(4 * b, 5, Op::atomic_add, s, 0, {0, 1});  // another interval: another queue
    for (int i = 0; i < 3; ++i) run.atomic(4 * b + i, 6, Op::atomic_add, g, 1, {0, 1});
  }
  const Trace t = run.trace();
  const Contention c = contention(t, replay_trace(t));
  EXPECT_EQ(c.longest_shared, 4);
  EXPECT_EQ(c.longest_global, 6);  // both blocks stand in it
  ASSERT_THAT(c.queues, SizeIs(5));
  EXPECT_EQ(c.queues[0].block, -1);
  EXPECT_EQ(c.queues[0].nodes.size(), 6u);
  EXPECT_EQ(c.queues[1].interval, 1);
  EXPECT_EQ(c.queues[3].nodes.size(), 1u);
}

TEST(LostUpdates, AreExplainedByTheReadAndTheStoreThatOvertook) {
  struct Case {
    int first, second;
    decltype(LostUpdate::where) where;
  };
  for (const Case& c : {Case{0, 1, LostUpdate::in_warp}, Case{0, 40, LostUpdate::in_block},
                        Case{0, 70, LostUpdate::between_blocks}}) {
    HandRun run(64, 2);
    const int keys = run.global("keys", {0}), bins = run.global("bins", {5, 5});
    (void)keys;
    const Value a = run.load(c.first, 3, bins, 1), b = run.load(c.second, 3, bins, 1);
    run.store(c.first, 3, bins, 1, run.add(c.first, 3, a, run.constant(c.first, 3, 1)));
    run.store(c.second, 3, bins, 1, run.add(c.second, 3, b, run.constant(c.second, 3, 1)));
    run.raw().output = bins;
    const Trace t = run.trace();
    const DataflowGraph f = replay_trace(t);
    const Lost lost = lost_updates(t, f);
    EXPECT_EQ(lost.performed, 2);
    EXPECT_EQ(lost.present, 1);
    EXPECT_EQ(lost.lost, 1);
    ASSERT_THAT(lost.updates, SizeIs(1));
    const LostUpdate& u = lost.updates[0];
    EXPECT_EQ(u.where, c.where);
    EXPECT_EQ(u.place, (CellRef{bins, 1}));
    EXPECT_EQ(f.nodes[u.store].thread, c.first);
    EXPECT_EQ(f.nodes[u.load].thread, c.first);
    EXPECT_EQ(f.nodes[u.overtaken_by].thread, c.second);
    ASSERT_THAT(lost.cells, SizeIs(1));
    EXPECT_EQ(lost.cells[0].performed, 2);
  }
}

TEST(LostUpdates, AreNoneForAtomicsOrWhereAPlainStoreStartsAnew) {
  HandRun run(2);
  const int bins = run.global("bins", {0});
  for (int t : {0, 1}) run.atomic(t, 2, Op::atomic_add, bins, 0, {0, 1});
  run.barrier(3);
  run.store(0, 4, bins, 0, {0, 9});
  run.barrier(5);
  run.store(1, 6, bins, 0, run.add(1, 6, run.load(1, 6, bins, 0), run.constant(1, 6, 1)));
  const Trace t = run.trace();
  const Lost lost = lost_updates(t, replay_trace(t));
  EXPECT_EQ(lost.performed, 3);
  EXPECT_EQ(lost.present, 3);
  EXPECT_THAT(lost.updates, IsEmpty());
}

TEST(LostUpdates, OfAWholeBranchOfTheHistoryAreLost) {
  // 0: a; 1 and 2 go on from a; 3 has read before all and overwrites them.
  HandRun run(4);
  const int bins = run.global("bins", {0});
  const Value early = run.load(3, 2, bins, 0);
  for (int t : {0, 1, 2})
    run.store(t, 2, bins, 0, run.add(t, 2, run.load(t, 2, bins, 0), run.constant(t, 2, 1)));
  run.store(3, 2, bins, 0, run.add(3, 2, early, run.constant(3, 2, 1)));
  const Trace t = run.trace();
  const DataflowGraph f = replay_trace(t);
  const Lost lost = lost_updates(t, f);
  EXPECT_EQ(lost.lost, 3);
  for (const LostUpdate& u : lost.updates) EXPECT_EQ(f.nodes[u.overtaken_by].thread, 3);
}

}  // namespace
}  // namespace bscope
