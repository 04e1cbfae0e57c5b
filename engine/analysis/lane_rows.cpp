#include "engine/analysis/lane_rows.hpp"

#include <bit>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/exchanges.hpp"

namespace bscope {
namespace {

using LaneValue = LaneRows::LaneValue;

LaneValue given_by(const Exchange& e, const Exchange::ExchangeLane& l) {
  return {true, false, l.given, e.kind};
}

/// What a lane put together with what it took: its own value before the exchange. Of a constant only the
/// exchange knows the bits.
LaneValue own_of(const DataflowGraph& flow, const Exchange& e, const Exchange::ExchangeLane& l, int made) {
  const Node& n = flow.nodes[size_t(made)];
  const int operand = n.a == l.node ? n.b : n.a;
  if (operand < 0) return l.gave ? given_by(e, l) : LaneValue();
  const Node& own = flow.nodes[size_t(operand)];
  return {true, false, own.bits, ElementType(own.kind)};
}

/// What a lane makes of what it took and of the value that it is known to hold; -1: nothing.
int made_of(const DataflowGraph& flow, const Exchange& e, const Exchange::ExchangeLane& l,
            const LaneValue& held) {
  const int made = combined(flow, l);
  if (made < 0 || l.gave || !held.known) return made;
  const LaneValue own = own_of(flow, e, l, made);
  return held.votes < 0 && (!own.known || own.bits == held.bits) ? made : -1;
}

/// What it holds after the exchange: what it made, or what it took; where it took nothing from another lane,
/// what it held before.
LaneValue after(const DataflowGraph& flow, const Exchange& e, const Exchange::ExchangeLane& l,
                const LaneValue& held, int made) {
  if (e.op == Op::ballot || e.op == Op::match)
    return {true, true, l.taken, e.result_kind, std::popcount(uint32_t(l.taken))};
  if (made >= 0 && e.op == Op::shuffle) {
    const Node& n = flow.nodes[size_t(made)];
    return {true, true, n.bits, ElementType(n.kind)};
  }
  if (e.op == Op::shuffle && l.from == l.lane) {
    LaneValue same = l.gave ? given_by(e, l) : held;
    same.fresh = false;
    return same;
  }
  return {true, true, l.taken, e.kind};
}

}  // namespace

LaneRows lane_rows(const DataflowGraph& flow, const std::vector<const Exchange*>& exchanges, int lanes) {
  LaneRows out;
  out.rows.push_back({std::vector<LaneValue>(size_t(lanes))});
  for (size_t k = 0; k < exchanges.size(); ++k) {
    const Exchange& e = *exchanges[k];
    std::vector<LaneValue> now = out.rows.back().lanes;
    bool others = false;
    for (LaneValue& v : now) v.fresh = false;
    for (const Exchange::ExchangeLane& l : e.lanes) {
      if (l.lane >= lanes || !l.gave) continue;
      LaneValue& held = now[size_t(l.lane)];
      const LaneValue given = given_by(e, l);
      if (held.same(given)) continue;
      others = others || held.known;
      held = given;
    }
    if (others) {
      out.rows.push_back({now, -1, int(k)});
    } else {
      // what was not known of a lane, since it had handed nothing on, it held all the same
      std::vector<LaneValue>& before = out.rows.back().lanes;
      for (size_t lane = 0; lane < now.size(); ++lane)
        if (!before[lane].known) before[lane] = now[lane];
      out.rows.back().gives_to = int(k);
    }
    std::vector<int>& made = out.made.emplace_back(size_t(lanes), -1);
    for (const Exchange::ExchangeLane& l : e.lanes) {
      if (l.lane >= lanes) continue;
      LaneValue& held = now[size_t(l.lane)];
      made[size_t(l.lane)] = made_of(flow, e, l, held);
      // no lane took what it held, but it has used that itself
      if (LaneValue& before = out.rows.back().lanes[size_t(l.lane)];
          made[size_t(l.lane)] >= 0 && !before.known)
        before = own_of(flow, e, l, made[size_t(l.lane)]);
      held = after(flow, e, l, held, made[size_t(l.lane)]);
    }
    out.rows.push_back({std::move(now), int(k), -1});
  }
  return out;
}

}  // namespace bscope
