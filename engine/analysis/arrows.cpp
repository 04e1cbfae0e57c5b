#include "engine/analysis/arrows.hpp"

#include <algorithm>
#include <bit>

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

std::vector<Arrow> arrows(const Flow& flow, const Interval& interval) {
  std::vector<Arrow> all;
  all.reserve(interval.nodes.size());
  Sources from;
  std::vector<int> open;
  for (int k : interval.nodes) {
    const Node& n = flow.nodes[k];
    if (!writes(n.op)) continue;
    find_sources(flow, {is_atomic(n.op) ? n.b : n.a}, n.thread, from, open);
    if (n.op == Op::atomic_add || n.op == Op::atomic_max) {  // the cell's old value goes into the new one
      from.loads.push_back(k);
      from.ops |= uint64_t(1) << int(n.op == Op::atomic_add ? Op::add : Op::max);
    }
    Arrow a{.to = n.place,
            .thread = n.thread,
            .line = n.line,
            .node = k,
            .from = {},
            .loads = {},
            .lanes = from.lanes,
            .op = {}};
    std::sort(from.loads.begin(), from.loads.end(), [&](int x, int y) {
      return std::pair(flow.nodes[x].place, -x) <
             std::pair(flow.nodes[y].place, -y);  // the latest read first
    });
    a.from.reserve(from.loads.size());
    a.loads.reserve(from.loads.size());
    for (int load : from.loads) {
      const Place place = flow.nodes[load].place;
      if (!a.from.empty() && a.from.back() == place) continue;
      a.from.push_back(place);
      a.loads.push_back(load);
    }
    a.op = from.ops == 0                   ? (a.from.empty() ? "constant" : "copy")
           : std::has_single_bit(from.ops) ? word_for(Op(std::countr_zero(from.ops)))
                                           : "other";
    all.push_back(std::move(a));
  }
  return all;
}

}  // namespace bscope
