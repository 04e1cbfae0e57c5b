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
using ::testing::ElementsAre;
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

/// Lanes of each request in line 4, where `text` is the source. In each round a lane loads and decides in
/// line 2, and stores in line 4 where `stores` of the lane and the round says so.
std::vector<size_t> lanes_in_line_4(const std::string& text, const std::vector<std::vector<bool>>& stores) {
  HandRun run(32);
  run.raw().sources[0].text = text;
  const int s = run.shared("s", 32 * 8), g = run.global("g", std::vector<int32_t>(32 * 8));
  for (int t = 0; t < int(stores.size()); ++t)
    for (int round = 0; round < int(stores[size_t(t)].size()); ++round) {
      const Value count = run.load(t, 2, s, 32 * round + t);
      run.branch(t, 0, count);
      if (stores[size_t(t)][size_t(round)]) run.store(t, 4, g, 32 * round + t, {});
    }
  const Trace t = run.trace();
  std::vector<size_t> lanes;
  for (const WarpAccess& r : requests(t, replay_trace(t)))
    if (r.line == 4) lanes.push_back(r.lanes.size());
  return lanes;
}
const char* const guarded = "for (;;) {\n  count = s[b];\n  if (count > 0)\n    g[b] = 0;\n}\n";
const char* const searched = "for (;;)\n  if (s[b] > 0) break;\n\ng[b] = 0;\n";

// No thread comes back to line 2 behind line 4, so the events alone do not tell the two apart.
TEST(Requests, OfALoopAreOneARoundAndOneBehindTheLoop) {
  const std::vector<std::vector<bool>> stores{{true}, {false, true}, {false, true}, {false, false, true}};
  EXPECT_THAT(lanes_in_line_4(guarded, stores), UnorderedElementsAre(1u, 2u, 1u));
  EXPECT_THAT(lanes_in_line_4(searched, stores), UnorderedElementsAre(4u));
  for (const char* unknown : {"", "// nothing\n", "\n\n\n\n\n"})
    EXPECT_THAT(lanes_in_line_4(unknown, stores), UnorderedElementsAre(4u)) << unknown;
}

// Where the text does not tell, a loop is one that a thread comes back in.
TEST(Requests, GoByTheThreadsThatComeBackWhereTheTextDoesNotTell) {
  const std::vector<std::vector<bool>> once{{true}, {false, true}}, again{{true, true}, {false, true}};
  for (const char* text : {"", "void f() {\n  v = s[b];\n  if (v)\n    g[b] = 0;\n}\n",  // a loop may call it
                           "int f() { for (;;)\n if (s[b]) return b; }\nvoid k() {\n  g[f()] = 0;\n}\n"}) {
    EXPECT_THAT(lanes_in_line_4(text, once), UnorderedElementsAre(2u)) << text;
    EXPECT_THAT(lanes_in_line_4(text, again), UnorderedElementsAre(1u, 2u)) << text;
  }
}

// for r: { for (b...) if (s[b]) break; g[r] = 0; }: the searches are of different lengths.
TEST(Requests, BehindASearchInALoopAreOneARoundOfTheOuterLoop) {
  HandRun run(32);
  run.raw().sources[0].text = "for (;;) {\n  for (;;)\n    if (s[b] > 0) break;\n  g[r] = 0;\n}\n";
  const int s = run.shared("s", 32), g = run.global("g", std::vector<int32_t>(96));
  for (int t = 0; t < 32; ++t)
    for (int round = 0; round < 3; ++round) {
      for (int k = 0; k <= (t + round) % 3; ++k) run.branch(t, 0, run.load(t, 3, s, t));
      run.store(t, 4, g, 32 * round + t, {});
    }
  const Trace t = run.trace();
  std::vector<size_t> lanes;
  for (const WarpAccess& r : requests(t, replay_trace(t)))
    if (r.line == 4) lanes.push_back(r.lanes.size());
  EXPECT_THAT(lanes, UnorderedElementsAre(32u, 32u, 32u));
}

// for b: { for (k...) sum += s[k]; if (sum > 0) g[b] = sum; }: the condition stands in the outer loop, and
// what it asks about comes from the inner one.
TEST(Requests, GoByTheLoopOfTheConditionRatherThanOfItsLoads) {
  HandRun run(32);
  run.raw().sources[0].text =
      "for (;;) {\n  for (;;)\n    sum += s[k];\n  if (sum > 0)\n    g[b] = sum;\n}\n";
  const int s = run.shared("s", 32), g = run.global("g", std::vector<int32_t>(64));
  for (int t = 0; t < 32; ++t)
    for (int round = 0; round < 2; ++round) {
      Value sum = run.load(t, 3, s, t);
      for (int k = 0; k < round + t % 2; ++k) sum = run.add(t, 3, sum, run.load(t, 3, s, t));
      const Value more = run.max(t, 4, sum, sum);
      run.branch(t, 0, more);
      if (t % 3 == round) run.store(t, 5, g, 32 * round + t, sum);
    }
  const Trace t = run.trace();
  std::vector<size_t> lanes;
  for (const WarpAccess& r : requests(t, replay_trace(t)))
    if (r.line == 5) lanes.push_back(r.lanes.size());
  EXPECT_THAT(lanes, UnorderedElementsAre(11u, 11u));  // lanes 0, 3, ...; then 1, 4, ...
}

// for b: if (x[b]) if (y[b]) g[b] = 0;: how often a lane comes to y says nothing of the round.
TEST(Requests, BehindTwoDecisionsGoByTheRoundsOfTheFirst) {
  HandRun run(32);
  run.raw().sources[0].text = "for (;;)\n  if (x[b] > 0)\n    if (y[b] > 0)\n      g[b] = 0;\n";
  const int x = run.shared("x", 64), y = run.shared("y", 64), g = run.global("g", std::vector<int32_t>(64));
  for (int t = 0; t < 32; ++t)
    for (int round = 0; round < 2; ++round) {
      run.branch(t, 0, run.load(t, 2, x, 32 * round + t));
      if (round == 0 && t % 2 == 0) continue;  // even lanes come to y in the second round alone
      run.branch(t, 0, run.load(t, 3, y, 32 * round + t));
      if (t % 4 != 1 || round == 1) run.store(t, 4, g, 32 * round + t, {});
    }
  const Trace t = run.trace();
  std::vector<size_t> lanes, of_y;
  for (const WarpAccess& r : requests(t, replay_trace(t))) {
    if (r.line == 4) lanes.push_back(r.lanes.size());
    if (r.line == 3) of_y.push_back(r.lanes.size());
  }
  EXPECT_THAT(of_y, UnorderedElementsAre(16u, 32u));
  EXPECT_THAT(lanes, UnorderedElementsAre(8u, 32u));
}

// for b: if (s[b] > 0) g[b] = s[b];, with the condition, the second load and the store in one line.
TEST(Requests, OfOneLineGoByTheDecisionInIt) {
  const auto lanes = [](const char* text) {
    HandRun run(32);
    run.raw().sources[0].text = text;
    const int s = run.shared("s", 96), g = run.global("g", std::vector<int32_t>(96));
    for (int t = 0; t < 32; ++t)
      for (int round = 0; round < 3; ++round) {
        const Value count = run.load(t, 2, s, 32 * round + t);
        run.branch(t, 0, run.max(t, 2, count, count));
        if (round == t % 3) run.store(t, 2, g, 32 * round + t, run.load(t, 2, s, 32 * round + t));
      }
    const Trace t = run.trace();
    std::vector<size_t> loads, stores;
    for (const WarpAccess& r : requests(t, replay_trace(t)))
      (r.shared() ? loads : stores).push_back(r.lanes.size());
    return std::pair(loads, stores);
  };
  const auto [loads, stores] = lanes("for (;;)\n  if (s[b] > 0) g[b] = s[b];\n");
  EXPECT_THAT(loads, UnorderedElementsAre(32u, 32u, 32u, 11u, 11u, 10u));
  EXPECT_THAT(stores, UnorderedElementsAre(11u, 11u, 10u));
  // a call whose function searches and then stores
  EXPECT_THAT(lanes("for (;;)\n  put_behind(s, g);\n").second, UnorderedElementsAre(32u));
}

// for r: if (t % 3 == r % 3) g[r][t] = 0;, on indices alone: the trace says which rounds they were.
TEST(Requests, GoByTheRoundsThatATraceKnows) {
  HandRun run(64);
  const int g = run.global("g", std::vector<int32_t>(4 * 64));
  LoopRounds rounds{
      .rounds = {{0, 0, 1, 0}, {0, 1, 1, 0}, {0, 2, 1, 0}, {0, 3, 1, 0}}, .marks = {}, .first = {0}};
  for (int t = 0; t < 64; ++t) {
    uint32_t stores = 0;
    for (int round = 0; round < 4; ++round)
      if (t % 3 == round % 3) {
        rounds.marks.push_back({stores++, uint32_t(round + 1)});
        run.store(t, 2, g, 64 * round + t, {});
      }
    rounds.first.push_back(uint32_t(rounds.marks.size()));
  }
  Trace t = run.trace();
  t.launches[0].blocks[0].rounds = rounds;
  const auto all = requests(t, replay_trace(t));
  std::vector<size_t> lanes(4);  // of both warps, by how often the block had been there
  for (const WarpAccess& r : all) {
    lanes.at(size_t(r.occurrence)) += r.lanes.size();
    for (const WarpAccess::LaneAccess& lane : r.lanes) EXPECT_EQ(lane.index / 64, r.occurrence);
  }
  EXPECT_THAT(all, SizeIs(2 * 4));
  EXPECT_THAT(lanes, ElementsAre(22u, 21u, 21u, 22u));
  const auto lines = divergence(t, all);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0].executed_over_ideal, 2);  // one warp could do each round
}

TEST(Requests, HaveEachLaneOnce) {
  HandRun run(2);
  run.raw().sources[0].text =
      "for (;;) {\n  if (x[b] > 0)\n    a();\n  for (;;) {\n    if (y[b] > 0)\n"
      "      b();\n    g[b] = 0;\n  }\n}\n";
  const int x = run.shared("x", 2), g = run.global("g", std::vector<int32_t>(64));
  for (int t = 0; t < 2; ++t)
    for (int k = 0, cell = t; k < 12; ++k, cell += 2) {
      if (k % 3 == 0) run.branch(t, 0, run.load(t, 2, x, t));
      if (k % (2 + t) == 0) run.branch(t, 0, run.load(t, 5, x, t));
      run.store(t, 7, g, cell, {});
    }
  const Trace t = run.trace();
  size_t stores = 0;
  for (const WarpAccess& r : requests(t, replay_trace(t))) {
    stores += r.line == 7 ? r.lanes.size() : 0;
    for (size_t k = 1; k < r.lanes.size(); ++k) EXPECT_LT(r.lanes[k - 1].lane, r.lanes[k].lane);
  }
  EXPECT_EQ(stores, 24u);
}

TEST(Requests, FollowBehindALoopThatOneLaneLeavesEarly) {
  HandRun run(32);
  const int g = run.global("g", std::vector<int32_t>(64));
  for (int t = 0; t < 3; ++t) {
    for (int round = 0; round <= t; ++round) run.load(t, 2, g, 3 * round + t);
    run.store(t, 7, g, 32 + t, {});
  }
  const Trace t = run.trace();
  std::vector<std::pair<int, size_t>> lines;
  for (const WarpAccess& r : requests(t, replay_trace(t))) lines.emplace_back(r.line, r.lanes.size());
  EXPECT_THAT(lines, ElementsAre(std::pair(2, 3u), std::pair(2, 2u), std::pair(2, 1u), std::pair(7, 3u)));
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
