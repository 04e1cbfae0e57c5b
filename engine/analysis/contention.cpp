#include "engine/analysis/contention.hpp"

#include <algorithm>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

using Served = std::pair<CellRef, int>;

/// One queue for each place.
void add_queues(std::vector<Served>& served, int launch, int block, int interval, std::vector<Queue>& out) {
  std::sort(served.begin(), served.end());
  for (const auto& [place, node] : served) {
    const bool fresh = out.empty() || out.back().launch != launch || out.back().block != block ||
                       out.back().interval != interval || out.back().place != place;
    if (fresh) out.push_back({launch, block, interval, place, {}});
    out.back().nodes.push_back(node);
  }
  served.clear();
}

}  // namespace

Contention contention(const Trace& trace, const DataflowGraph& flow) {
  Contention out;
  std::vector<Served> shared, global;
  size_t next = 0;
  for (int launch = 0; launch < int(trace.launches.size()); ++launch) {
    for (; next < flow.intervals.size() && flow.intervals[next].launch == launch; ++next) {
      const Interval& v = flow.intervals[next];
      for (int k : v.nodes) {
        const Node& n = flow.nodes[k];
        if (is_atomic(n.op)) (n.place.shared() ? shared : global).emplace_back(n.place, k);
      }
      add_queues(shared, launch, v.block, v.index, out.queues);
    }
    add_queues(global, launch, -1, -1, out.queues);
  }
  std::stable_sort(out.queues.begin(), out.queues.end(),
                   [](const Queue& a, const Queue& b) { return a.nodes.size() > b.nodes.size(); });
  for (const Queue& q : out.queues) {
    int& longest = q.place.shared() ? out.longest_shared : out.longest_global;
    longest = std::max(longest, int(q.nodes.size()));
  }
  return out;
}

}  // namespace bscope
