#include "engine/analysis/instructions.hpp"

#include <algorithm>
#include <map>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {

std::vector<int> nodes_of(const WarpAccess& r, const Run& run, const Interval& v) {
  const std::vector<int>& all = v.nodes;
  const auto& nodes = run.report.flow.nodes;
  const ArrayInfo& array = run.trace.array(run.trace.launches[size_t(r.launch)], r.array);
  const int width = std::max(1, bytes_of(array.kind));
  std::vector<int> out;
  for (const WarpAccess::LaneAccess& lane : r.lanes) {
    out.push_back(lane.node);
    const int thread = nodes[size_t(lane.node)].thread;
    auto at = std::upper_bound(all.begin(), all.end(), lane.node);
    for (int more = lane.bytes / width - 1; more > 0 && at != all.end(); ++at)
      if (nodes[size_t(*at)].thread == thread) out.push_back(*at), --more;
  }
  std::sort(out.begin(), out.end());
  return out;
}

WarpInstruction instruction(const Step& step, std::span<const SubStep> substeps, int number,
                            std::span<const Exchange> exchanges) {
  const Run& run = *step.in->run;
  const auto& nodes = run.report.flow.nodes;
  WarpInstruction i;
  i.step = &step;
  i.what = substeps[size_t(number)];
  i.number = number;
  i.of = int(substeps.size());
  const auto take_ranks = [&](const auto& lanes) {
    for (const auto& lane : lanes) i.ranks.push_back(i.what.warp * warp_size + lane.lane);
  };
  if (i.what.exchange >= 0) {
    i.exchange = &exchanges[size_t(i.what.exchange)];
    take_ranks(i.exchange->lanes);
    return i;
  }
  i.request = &run.report.requests_of(size_t(step.flow_index))[size_t(i.what.request)];
  take_ranks(i.request->lanes);
  i.nodes = nodes_of(*i.request, run, *step.interval);
  const auto ours = [&](int node) { return std::binary_search(i.nodes.begin(), i.nodes.end(), node); };
  if (writes(i.request->op)) {
    for (const Move& m : step.moves())
      if (!m.held && ours(m.arrow.node)) i.moves.push_back(m);
  } else {
    for (int id : i.nodes) i.moves.push_back(Move::held_load(id, nodes[size_t(id)]));
  }
  std::map<uint64_t, Step::Written> written;
  for (int id : i.nodes)
    if (const Node& n = nodes[size_t(id)]; writes(n.op)) {
      Step::Written& w = written[Step::key(n.place)];
      ++w.times;
      w.node = id;
    }
  i.written.assign(written.begin(), written.end());
  return i;
}

}  // namespace bscope
