#include "engine/analysis/lane_rows.hpp"

#include <bit>

namespace bscope {
namespace {

using Value = LaneRows::Value;

Value given_by(const Exchange& e, const Exchange::Lane& l) { return {true, false, l.given, e.kind}; }

/// What a lane makes of what it took and of the value that it is known to hold; -1: nothing.
int made_of(const DataflowGraph& flow, const Exchange::Lane& l, const Value& held) {
  const int made = combined(flow, l);
  if (made < 0 || l.gave || !held.known) return made;
  const Node& n = flow.nodes[size_t(made)];
  const Node& own = flow.nodes[size_t(n.a == l.node ? n.b : n.a)];
  return held.votes < 0 && own.bits == held.bits ? made : -1;
}

/// What it holds after the exchange: what it made, or what it took; where it took nothing from another lane,
/// what it held before.
Value after(const DataflowGraph& flow, const Exchange& e, const Exchange::Lane& l, const Value& held,
            int made) {
  if (e.op == Op::ballot || e.op == Op::match)
    return {true, true, l.taken, e.result_kind, std::popcount(uint32_t(l.taken))};
  if (made >= 0 && e.op == Op::shuffle) {
    const Node& n = flow.nodes[size_t(made)];
    return {true, true, n.bits, ElementType(n.kind)};
  }
  if (e.op == Op::shuffle && l.from == l.lane) {
    Value same = l.gave ? given_by(e, l) : held;
    same.fresh = false;
    return same;
  }
  return {true, true, l.taken, e.kind};
}

}  // namespace

LaneRows lane_rows(const DataflowGraph& flow, const std::vector<const Exchange*>& exchanges, int lanes) {
  LaneRows out;
  out.rows.push_back({std::vector<Value>(size_t(lanes))});
  for (size_t k = 0; k < exchanges.size(); ++k) {
    const Exchange& e = *exchanges[k];
    std::vector<Value> now = out.rows.back().lanes;
    bool others = false;
    for (Value& v : now) v.fresh = false;
    for (const Exchange::Lane& l : e.lanes) {
      if (l.lane >= lanes || !l.gave) continue;
      Value& held = now[size_t(l.lane)];
      const Value given = given_by(e, l);
      if (held.same(given)) continue;
      others = others || held.known;
      held = given;
    }
    if (others) {
      out.rows.push_back({now, -1, int(k)});
    } else {
      // what was not known of a lane, since it had handed nothing on, it held all the same
      std::vector<Value>& before = out.rows.back().lanes;
      for (size_t lane = 0; lane < now.size(); ++lane)
        if (!before[lane].known) before[lane] = now[lane];
      out.rows.back().gives_to = int(k);
    }
    std::vector<int>& made = out.made.emplace_back(size_t(lanes), -1);
    for (const Exchange::Lane& l : e.lanes) {
      if (l.lane >= lanes) continue;
      Value& held = now[size_t(l.lane)];
      made[size_t(l.lane)] = made_of(flow, l, held);
      held = after(flow, e, l, held, made[size_t(l.lane)]);
    }
    out.rows.push_back({std::move(now), int(k), -1});
  }
  return out;
}

}  // namespace bscope
