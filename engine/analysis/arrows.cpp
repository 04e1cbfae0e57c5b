#include "engine/analysis/arrows.hpp"

#include <algorithm>
#include <bit>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/sources.hpp"

namespace bscope {
namespace {

const char* word_for(Op op) {
  switch (op) {
    case Op::add: return "add";
    case Op::sub: return "subtract";
    case Op::mul: return "multiply";
    case Op::div: return "divide";
    case Op::min: return "min";
    case Op::max: return "max";
    case Op::compose: return "compose";
    case Op::bit_and: return "and";
    case Op::bit_or: return "or";
    case Op::bit_xor: return "xor";
    case Op::shl:
    case Op::shr: return "shift";
    default: return "other";
  }
}

}  // namespace

void find_arrow_sources(const DataflowGraph& flow, int store, Sources& out, std::vector<int>& open) {
  const Node& n = flow.nodes[size_t(store)];
  find_sources(flow, {is_atomic(n.op) ? n.b : n.a}, n.thread, out, open);
  if (const auto op = joined_by(n.op)) {  // the cell's old value goes into the new one
    out.loads.push_back(store);
    out.ops |= uint64_t(1) << int(*op);
  }
  if (out.loads.size() < 2) return;
  const auto place = [&](int load) { return flow.nodes[size_t(load)].place; };
  std::sort(out.loads.begin(), out.loads.end(), [&](int x, int y) {
    return std::pair(place(x), -x) < std::pair(place(y), -y);  // the latest read first
  });
  out.loads.erase(
      std::unique(out.loads.begin(), out.loads.end(), [&](int x, int y) { return place(x) == place(y); }),
      out.loads.end());
}

std::vector<Arrow> arrows(const DataflowGraph& flow, const Interval& interval) {
  std::vector<Arrow> all;
  all.reserve(interval.nodes.size());
  Sources from;
  std::vector<int> open;
  for (int k : interval.nodes) {
    const Node& n = flow.nodes[k];
    if (!writes(n.op)) continue;
    find_arrow_sources(flow, k, from, open);
    Arrow a{.to = n.place,
            .thread = n.thread,
            .line = n.line,
            .node = k,
            .from = {},
            .loads = from.loads,
            .lanes = from.lanes,
            .op = {}};
    a.from.reserve(from.loads.size());
    for (int load : from.loads) a.from.push_back(flow.nodes[size_t(load)].place);
    a.op = from.ops == 0                   ? (a.from.empty() ? "constant" : "copy")
           : std::has_single_bit(from.ops) ? word_for(Op(std::countr_zero(from.ops)))
                                           : "other";
    all.push_back(std::move(a));
  }
  return all;
}

}  // namespace bscope
