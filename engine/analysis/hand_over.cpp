#include "engine/analysis/hand_over.hpp"

#include <algorithm>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/moment.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/cell_ref.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

std::vector<HandOver> hand_overs(const DataflowGraph& flow, CellRef flag) {
  std::vector<HandOver> all;
  const auto of = [&](int id) -> const Node& { return flow.nodes[size_t(id)]; };
  for (const int id : flow.sequence) {
    const Node& n = of(id);
    if ((n.op == Op::acquire || n.op == Op::wait) && n.place == flag && n.a >= 0 &&
        of(n.a).op == Op::release && of(n.a).launch == n.launch && of(n.a).thread != n.thread) {
      all.push_back({-1, n.a, id, -1});
    } else if (is_load(n.op) && n.a >= 0) {
      for (HandOver& h : all) {
        const Node &giver = of(h.release), &taker = of(h.acquire), &wrote = of(n.a);
        if (h.load >= 0 || n.thread != taker.thread || n.launch != taker.launch) continue;
        if (n.a > h.release || wrote.thread != giver.thread || wrote.launch != giver.launch) continue;
        h.store = n.a;
        h.load = id;
      }
    }
  }
  return all;
}

std::optional<HandOver> hand_over_at(const Run& run, const Moment& m, CellRef flag) {
  const DataflowGraph& flow = run.report.flow;
  const std::vector<HandOver> all = hand_overs(flow, flag);
  if (all.empty()) return {};
  const auto block = [&](int id) {
    const Node& n = flow.nodes[size_t(id)];
    return n.launch == m.launch ? n.thread / run.trace.launches[size_t(n.launch)].block : -1;
  };
  // one that hands a number over says more
  const auto rank = [&](const HandOver& h) {
    return (block(h.acquire) == m.block ? 4 : block(h.release) == m.block ? 2 : 0) + (h.load >= 0 ? 1 : 0);
  };
  return *std::max_element(all.begin(), all.end(),
                           [&](const HandOver& l, const HandOver& r) { return rank(l) < rank(r); });
}

}  // namespace bscope
