// What lanes hand each other, and an interval one instruction of a warp at a time: on real kernels.
#include "engine/analysis/substeps.hpp"

#include <gtest/gtest.h>

#include <map>

#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope {
namespace {

struct Traced {
  Trace trace;
  Report report;
};
std::unique_ptr<Traced> traced_with_substeps(const std::string& kernel, long long n, long long block = 0) {
  RunSpec r;
  r.kernel = kernel;
  if (n) r.n = n;
  if (block) r.block = block;
  const Algorithm& a = find(kernel);
  auto t = std::make_unique<Traced>();
  t->trace = run(a, make_problem(a, r), Device::cpu, {}, [](const Trace& x) { return order_matters(x); });
  t->report = analyse(t->trace);
  return t;
}

TEST(Exchanges, AButterflyOfShufflesGivesEveryLaneTheSum) {
  const auto t = traced_with_substeps("reduce/warp-shuffle", 32, 32);
  const auto all = exchanges(t->trace, t->report.flow, 0, 0);
  ASSERT_EQ(all.size(), 5u);
  std::vector<int64_t> holds;
  for (double x : t->report.input) holds.push_back(int64_t(x));
  for (size_t k = 0; k < all.size(); ++k) {
    const Exchange& e = all[k];
    const int stride = 16 >> k;
    EXPECT_EQ(e.op, Op::shuffle);
    EXPECT_EQ(e.occurrence, int(k));
    ASSERT_EQ(e.lanes.size(), 32u);
    std::vector<int64_t> sums(32);
    for (int lane = 0; lane < 32; ++lane) {
      const Exchange::ExchangeLane& l = e.lanes[size_t(lane)];
      EXPECT_EQ(l.lane, lane);
      EXPECT_EQ(l.from, lane ^ stride);
      ASSERT_TRUE(l.gave);
      EXPECT_EQ(int64_t(l.given), holds[size_t(lane)]);
      EXPECT_EQ(int64_t(l.taken), holds[size_t(lane ^ stride)]);
      ASSERT_GE(l.used, 0);
      sums[size_t(lane)] = int64_t(t->report.flow.nodes[size_t(l.used)].bits);
      EXPECT_EQ(sums[size_t(lane)], int64_t(l.given + l.taken));
    }
    holds = sums;
  }
  for (int64_t sum : holds) EXPECT_EQ(sum, int64_t(t->report.output[0]));
}

TEST(Exchanges, AScanKnowsWhatItsLastLaneGaveToNobody) {
  const auto t = traced_with_substeps("scan/look-back", 96);
  int combined = 0;
  for (const Exchange& e : exchanges(t->trace, t->report.flow, 0, 0)) {
    if (e.op != Op::shuffle || e.lanes.size() < 2) continue;
    const Exchange::ExchangeLane& last = e.lanes.back();
    const bool taken =
        std::any_of(e.lanes.begin(), e.lanes.end(), [&](auto& l) { return l.from == last.lane; });
    if (taken) {
      EXPECT_TRUE(last.gave);
      continue;
    }
    if (!last.gave) continue;  // it moved values and combined none with its own
    ++combined;
    // what it gave to no lane is what it added to what it took
    ASSERT_GE(last.used, 0);
    EXPECT_EQ(t->report.flow.nodes[size_t(last.used)].bits, last.given + last.taken);
  }
  EXPECT_GT(combined, 0);
}

TEST(Exchanges, VotesAndSumsNameWhatEachLaneBrought) {
  const auto reduce = traced_with_substeps("reduce/one-atomic", 64);
  bool sums = false;
  for (const Exchange& e : exchanges(reduce->trace, reduce->report.flow, 0, 0)) {
    if (e.op != Op::reduce) continue;
    sums = true;
    uint32_t total = 0;
    for (const Exchange::ExchangeLane& l : e.lanes) {
      EXPECT_EQ(l.from, -1);
      total += uint32_t(l.given);
    }
    for (const Exchange::ExchangeLane& l : e.lanes) EXPECT_EQ(uint32_t(l.taken), total);
  }
  EXPECT_TRUE(sums);
}

/// Every request and exchange once, and every thread in its own order.
void expect_complete(const Traced& t) {
  const DataflowGraph& flow = t.report.flow;
  for (const Interval& v : flow.intervals) {
    const auto meetings = exchanges(t.trace, flow, v.launch, v.block);
    const auto asked = t.report.requests_of(size_t(&v - flow.intervals.data()));
    const auto all = substeps(t.trace, v, asked, meetings);
    ASSERT_EQ(int(all.size()), count_substeps(t.report, size_t(&v - flow.intervals.data())));
    std::map<int, int> last;  // of each thread: its node so far
    std::vector<int> seen_requests(asked.size()), seen_exchanges(meetings.size());
    const auto go = [&](int warp, const auto& lanes) {
      for (const auto& l : lanes) {
        int& before = last.try_emplace(warp * warp_size + l.lane, -1).first->second;
        EXPECT_LT(before, l.node) << t.trace.kernel << " interval " << v.index;
        before = l.node;
      }
    };
    for (const SubStep& s : all) {
      if (s.request >= 0) {
        ++seen_requests[size_t(s.request)];
        go(s.warp, asked[size_t(s.request)].lanes);
      } else {
        ++seen_exchanges[size_t(s.exchange)];
        go(s.warp, meetings[size_t(s.exchange)].lanes);
      }
    }
    for (int n : seen_requests) EXPECT_EQ(n, 1);
    for (size_t k = 0; k < meetings.size(); ++k)
      EXPECT_EQ(seen_exchanges[k], int(meetings[k].interval == v.index));
  }
}

TEST(SubSteps, KeepEveryThreadsOrder) {
  for (const char* kernel : {"scan/blelloch", "scan/kogge-stone", "reduce/warp-shuffle", "scan/look-back",
                             "histogram/privatised", "reduce/grid-stride", "scan/brent-kung"})
    expect_complete(*traced_with_substeps(kernel, 0));
  expect_complete(*traced_with_substeps("scan/kogge-stone", 100, 128));
}

}  // namespace
}  // namespace bscope
