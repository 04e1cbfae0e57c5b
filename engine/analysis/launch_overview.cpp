#include "engine/analysis/launch_overview.hpp"

#include <algorithm>

#include "engine/analysis/array_state.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/stuck_threads.hpp"

namespace bscope {

LaunchOverview launch_overview(const Trace& trace, const DataflowGraph& flow, int launch, int interval,
                               int array, int columns) {
  LaunchOverview out{launch, interval, array};
  const Launch& l = trace.launches[size_t(launch)];
  const int cells = trace.array(l, array).size, across = std::min(cells, columns);
  const int threads = std::min(l.block, columns);
  out.blocks.resize(size_t(l.grid));
  for (int b = 0; b < l.grid; ++b) {
    LaunchOverview::BlockOverview& at = out.blocks[size_t(b)];
    const auto intervals = flow.of_block(launch, b);
    at.there = interval < int(intervals.size());
    if (!at.there) continue;
    const Interval& now = intervals[size_t(interval)];
    at.stuck = count_stuck(stuck_lines(trace, flow, now));
    at.touched.resize(size_t(across));
    at.lanes.resize(size_t(threads));
    std::vector<bool> works(size_t(l.block));
    for (const int id : now.nodes) {
      const Node& n = flow.nodes[size_t(id)];
      const int rank = n.thread - b * l.block;
      if (!works[size_t(rank)]) {
        works[size_t(rank)] = true;
        ++at.working;
        at.lanes[size_t(int64_t(rank) * threads / l.block)] = true;
      }
      if (n.place.array != array) continue;
      LaunchOverview::CellUse& t = at.touched[size_t(int64_t(n.place.index) * across / cells)];
      t = std::max(t, writes(n.op) ? LaunchOverview::writes : LaunchOverview::reads);
      at.writes += writes(n.op);
    }
    if (array < first_shared) continue;
    at.values = largest_in_parts(shared_state(trace, now, array), 0, cells, across);
    for (const float value : at.values) out.largest = std::max(out.largest, value);
  }
  return out;
}

}  // namespace bscope
