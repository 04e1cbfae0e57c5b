#include "engine/analysis/substeps.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

std::vector<SubStep> substeps(const Trace& trace, const Interval& v, std::span<const WarpAccess> requests,
                              std::span<const Exchange> exchanges) {
  std::vector<SubStep> all;
  struct Of {
    int node, substep;
  };
  const Launch& l = trace.launches[size_t(v.launch)];
  std::vector<std::vector<Of>> threads(static_cast<size_t>(l.block));  // what each does, to be put in order
  std::vector<int> first;                                              // node of each
  const auto take = [&](const SubStep& s, const auto& lanes) {
    int least = std::numeric_limits<int>::max();
    for (const auto& lane : lanes) {
      threads[size_t(s.warp * warp_size + lane.lane)].push_back({lane.node, int(all.size())});
      least = std::min(least, lane.node);
    }
    first.push_back(least);
    all.push_back(s);
  };
  for (size_t k = 0; k < requests.size(); ++k)
    take({int(k), -1, requests[k].warp, requests[k].line}, requests[k].lanes);
  for (size_t k = 0; k < exchanges.size(); ++k)
    if (exchanges[k].interval == v.index)
      take({-1, int(k), exchanges[k].warp, exchanges[k].line}, exchanges[k].lanes);

  // each after those that one of its lanes did before; of those that may come next, the replay's first
  std::vector<std::vector<int>> after(all.size());
  std::vector<int> waits(all.size(), 0);
  for (auto& of : threads) {
    std::sort(of.begin(), of.end(), [](const Of& a, const Of& b) { return a.node < b.node; });
    for (size_t k = 1; k < of.size(); ++k)
      if (of[k].substep != of[k - 1].substep) {
        after[size_t(of[k - 1].substep)].push_back(of[k].substep);
        ++waits[size_t(of[k].substep)];
      }
  }
  using Next = std::pair<int, int>;  // first node, sub-step
  std::priority_queue<Next, std::vector<Next>, std::greater<>> ready;
  for (size_t k = 0; k < all.size(); ++k)
    if (!waits[k]) ready.push({first[k], int(k)});
  std::vector<SubStep> out;
  std::vector<bool> done(all.size());
  out.reserve(all.size());
  // Lanes that go round a loop differently often may be counted into requests that wait for one another:
  // then the replay's first goes first.
  std::vector<Next> stuck;
  while (out.size() < all.size()) {
    if (ready.empty()) {
      if (stuck.empty()) {
        for (size_t k = 0; k < all.size(); ++k) stuck.push_back({first[k], int(k)});
        std::sort(stuck.begin(), stuck.end(), std::greater<>());
      }
      while (done[size_t(stuck.back().second)]) stuck.pop_back();
      ready.push(stuck.back());
    }
    const int k = ready.top().second;
    ready.pop();
    if (done[size_t(k)]) continue;
    done[size_t(k)] = true;
    out.push_back(all[size_t(k)]);
    for (int next : after[size_t(k)])
      if (--waits[size_t(next)] == 0) ready.push({first[size_t(next)], next});
  }
  return out;
}

int count_substeps(const Report& report, size_t interval) {
  const Interval& v = report.flow.intervals[interval];
  const auto meetings = exchanges(*report.trace, report.flow, v.launch, v.block);
  return int(report.requests_of(interval).size()) +
         int(std::count_if(meetings.begin(), meetings.end(),
                           [&](const Exchange& e) { return e.interval == v.index; }));
}

}  // namespace bscope
