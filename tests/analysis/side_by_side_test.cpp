// Blocks replayed side by side must give what a replay event by event gives.
#include <gmock/gmock.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "engine/analysis/content.hpp"
#include "engine/analysis/contention.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/replay.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/trace/parallel.hpp"
#include "tests/analysis/hand_run.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

using test::HandRun;

bool same(const Node& x, const Node& y) {
  return x.op == y.op && x.kind == y.kind && x.line == y.line && x.launch == y.launch &&
         x.thread == y.thread && x.interval == y.interval && x.event == y.event && x.place == y.place &&
         x.bits == y.bits && x.a == y.a && x.b == y.b && x.address == y.address;
}
void expect_same_dataflow(const Trace& trace, const DataflowGraph& x, const DataflowGraph& y,
                          const std::string& at) {
  SCOPED_TRACE(at);
  ASSERT_EQ(x.nodes.size(), y.nodes.size());
  for (size_t k = 0; k < x.nodes.size(); ++k) ASSERT_TRUE(same(x.nodes[k], y.nodes[k])) << "node " << k;
  ASSERT_EQ(x.intervals.size(), y.intervals.size());
  for (size_t k = 0; k < x.intervals.size(); ++k) {
    const Interval &v = x.intervals[k], &w = y.intervals[k];
    ASSERT_EQ(std::tie(v.launch, v.block, v.index, v.line, v.phase, v.nodes, v.work),
              std::tie(w.launch, w.block, w.index, w.line, w.phase, w.nodes, w.work));
    ASSERT_TRUE(std::equal(v.shared.begin(), v.shared.end(), w.shared.begin(), w.shared.end()));
    ASSERT_EQ(*v.written, *w.written);
    ASSERT_EQ(holders(trace, x, v), holders(trace, y, w));
  }
  EXPECT_EQ(x.last, y.last);
  EXPECT_EQ(x.sequence, y.sequence);
  EXPECT_EQ(x.global_writes, y.global_writes);
  EXPECT_EQ(x.writes_of.nodes, y.writes_of.nodes);
  EXPECT_EQ(x.writes_of.first, y.writes_of.first);
  EXPECT_EQ(x.vectors, y.vectors);
  EXPECT_EQ(x.finer_order, y.finer_order);
  EXPECT_EQ(x.blocks_meet, y.blocks_meet);
  EXPECT_EQ(x.order_matters, y.order_matters);
  EXPECT_EQ(x.snapshots, y.snapshots);
  EXPECT_EQ(x.hazards_found, y.hazards_found);
  ASSERT_EQ(x.hazards.size(), y.hazards.size());
  for (size_t k = 0; k < x.hazards.size(); ++k) EXPECT_EQ(x.hazards[k].message, y.hazards[k].message);
}

TEST(SideBySide, GivesTheFlowOfAReplayInOrder) {
  for (const Algorithm* a : catalog())
    for (long long n : {1, 37, 500, test::all_or_part(9000, 1100)})
      for (Schedule::Policy kind : {Schedule::to_barrier, Schedule::lockstep, Schedule::shuffled}) {
        RunSpec r;
        r.kernel = a->name;
        r.n = n;
        r.seed = uint32_t(n);
        const Trace t = run(*a, make_problem(*a, r), Device::cpu, {kind, uint32_t(n)});
        const auto fast = replay_blocks(t);
        if (!fast) continue;
        expect_same_dataflow(t, *fast, replay_in_order(t), a->name + " n=" + std::to_string(n));
      }
}

TEST(SideBySide, IsTheWayOfOrdinaryTraces) {
  for (const char* kernel : {"scan/kogge-stone", "scan/blelloch", "reduce/tree-mask",
                             "histogram/global-atomics", "histogram/shared-atomics", "histogram/racy"}) {
    RunSpec r;
    r.kernel = kernel;
    r.n = 5000;
    for (Schedule::Policy kind : {Schedule::to_barrier, Schedule::lockstep}) {
      const Algorithm& a = find(kernel);
      EXPECT_TRUE(replay_blocks(run(a, make_problem(a, r), Device::cpu, {kind}))) << kernel;
    }
  }
}

TEST(SideBySide, LeavesWhatIsOutOfTheOrdinary) {
  HandRun run(2);
  const int data = run.global("data", {10, 20}), s = run.shared("s", 2);
  for (int t : {0, 1}) run.store(t, 3, s, t, run.load(t, 2, data, t));
  run.barrier(4);
  for (int t : {1, 0}) run.store(t, 6, data, t, run.load(t, 6, s, 1 - t));
  const Trace good = run.trace();
  EXPECT_TRUE(replay_blocks(good));
  EXPECT_FALSE(replay_blocks(run.trace(false)));  // no turns
  const auto refused = [&](auto change) {
    Trace t = good;
    change(t);
    return !replay_blocks(t);
  };
  EXPECT_TRUE(refused([](Trace& t) { t.launches[0].blocks[0].snapshots[4] ^= std::byte{1}; }));
  EXPECT_TRUE(refused([](Trace& t) { t.launches[0].blocks[0].snapshots.resize(8); }));
  EXPECT_TRUE(refused([](Trace& t) { t.launches[0].after[0][0] ^= std::byte{1}; }));
  EXPECT_TRUE(refused([](Trace& t) { t.arrays[0].initial[0] ^= std::byte{1}; }));
  EXPECT_TRUE(refused([](Trace& t) { t.launches[0].turns.pop_back(); }));
  EXPECT_TRUE(refused([](Trace& t) { t.launches[0].turns[0].thread = 7; }));
  EXPECT_TRUE(refused([](Trace& t) {
    for (Event& e : t.launches[0].blocks[0].events)
      if (e.op == Op::load && e.line == 6) e.bits = 77;
  }));
}

TEST(SideBySide, LongTracesOfShortThreadsAreNoRunaways) {
  RunSpec r;
  r.kernel = "histogram/global-atomics";
  r.n = 300'000;  // as many threads, each with a few events in room for many
  const Trace t = run(find(r.kernel), make_problem(find(r.kernel), r), Device::cpu, {Schedule::to_barrier});
  EXPECT_THAT(t.findings, ::testing::IsEmpty());
  EXPECT_GT(t.events(), 1'000'000u);
  EXPECT_TRUE(replay_blocks(t));
}

TEST(Holders, AreThoseOfAReplayAtEveryInterval) {
  RunSpec r;
  r.kernel = "scan/kogge-stone";
  r.n = 3000;
  r.block = 1024;  // several thousand accesses a block: some intervals are kept, some are not
  const Trace t = run(find(r.kernel), make_problem(find(r.kernel), r), Device::cpu);
  const DataflowGraph f = replay_trace(t);
  size_t kept = 0;
  for (const Interval& v : f.intervals) kept += !v.kept_holders.empty();
  EXPECT_GT(kept, 0u);
  EXPECT_LT(kept, f.intervals.size() / 2);
  std::vector<int32_t> now;
  for (const Interval& v : f.intervals) {
    if (v.index == 0) now.assign(holders(t, f, v).size(), -1);
    for (int k : v.nodes)
      if (const Node& n = f.nodes[size_t(k)]; n.place.shared() && writes(n.op))
        now[size_t(first_cell(t.launches[size_t(v.launch)], n.place.array) + n.place.index)] = k;
    ASSERT_EQ(holders(t, f, v), now) << "launch " << v.launch << ", interval " << v.index;
    for (size_t cell = 0; cell < now.size(); ++cell) EXPECT_EQ(v.wrote(4 * cell), now[cell] >= 0);
  }
}

/// Everything a report answers, as text.
std::string answers(const Report& r, const std::vector<int>& order) {
  std::vector<std::string> all(6);
  const auto ask = [&](int what) {
    std::string& s = all[size_t(what)];
    switch (what) {
      case 0: {
        const WordTable& words = r.words();
        for (size_t k = 0; k < words.size(); k += 7) s += words[k].text() + ";";
        break;
      }
      case 1: {
        const RequestTotals t = total(r.requests());
        s = std::to_string(t.shared_wavefronts) + " " + std::to_string(t.global_sectors);
        break;
      }
      case 2:
        s = std::to_string(r.contention().queues.size()) + " " +
            std::to_string(r.contention().longest_shared);
        break;
      case 3: s = std::to_string(r.lost().performed) + " " + std::to_string(r.lost().lost); break;
      case 4: s = r.proof().message.english(); break;
      default: s = std::to_string(r.work().adds) + " " + std::to_string(r.span());
    }
  };
  for (int what : order) ask(what);
  std::string s;
  for (const std::string& one : all) s += one + "\n";
  for (size_t k = 0; k < r.flow.intervals.size(); ++k)
    s += std::to_string(total(r.requests_of(k)).shared_wavefronts) + ",";
  return s;
}

TEST(Report, AnswersAlikeInAnyOrderAndToManyThreads) {
  std::vector<std::string> kernels{"histogram/shared-atomics", "scan/blelloch", "histogram/racy"};
  kernels.resize(test::all_or_part(3, 1));  // a minute each under the sanitizers
  for (const std::string& kernel : kernels) {
    RunSpec r;
    r.kernel = kernel;
    r.n = 20'000;  // enough that the answers are worked out by several threads
    const Trace t = run(find(kernel), make_problem(find(kernel), r), Device::cpu);
    const std::string want = answers(analyse(t), {0, 1, 2, 3, 4, 5});
    EXPECT_EQ(answers(analyse(t), {5, 4, 3, 2, 1, 0}), want);
    const Report shared = analyse(t);
    std::vector<std::string> got(4);
    std::vector<std::thread> threads;
    for (size_t k = 0; k < got.size(); ++k)
      threads.emplace_back([&, k] {
        std::vector<int> order{0, 1, 2, 3, 4, 5};
        std::rotate(order.begin(), order.begin() + long(k), order.end());
        got[k] = answers(shared, order);
      });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& one : got) EXPECT_EQ(one, want);
    limit_workers(1);
    const std::string alone = answers(analyse(t), {0, 1, 2, 3, 4, 5});
    limit_workers(0);
    EXPECT_EQ(alone, want);
  }
}

TEST(Report, RequestsOfAnIntervalAreThoseOfAll) {
  RunSpec r;
  r.kernel = "scan/blelloch";
  r.n = 3000;
  const Trace t = run(find(r.kernel), make_problem(find(r.kernel), r), Device::cpu);
  const Report report = analyse(t);
  size_t next = 0;
  for (size_t k = 0; k < report.flow.intervals.size(); ++k)
    for (const WarpAccess& q : report.requests_of(k)) {
      ASSERT_LT(next, report.requests().size());
      const WarpAccess& same = report.requests()[next++];
      EXPECT_EQ(q.interval, report.flow.intervals[k].index);
      EXPECT_EQ(std::tie(q.launch, q.block, q.warp, q.interval, q.line, q.array, q.wavefronts, q.sectors),
                std::tie(same.launch, same.block, same.warp, same.interval, same.line, same.array,
                         same.wavefronts, same.sectors));
    }
  EXPECT_EQ(next, report.requests().size());
}

TEST(Parallel, DoesEachTaskOnceAndThrowsTheLowest) {
  std::vector<int> times(1000);
  parallel(times.size(), [&](size_t k) { ++times[k]; });
  EXPECT_THAT(times, ::testing::Each(1));
  parallel(0, [&](size_t) { FAIL(); });
  for (int round = 0; round < 20; ++round) try {
      parallel(1000, [](size_t k) {
        if (k % 100 == 37) throw std::runtime_error(std::to_string(k));
      });
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::runtime_error& e) { EXPECT_STREQ(e.what(), "37"); }
}

}  // namespace
}  // namespace bscope
