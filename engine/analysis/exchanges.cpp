#include "engine/analysis/exchanges.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {
namespace {

bool meets_lanes(Op o) { return o == Op::shuffle || o == Op::reduce || o == Op::ballot || o == Op::match; }

/// The value of an event of a log, by its 1-based number.
uint64_t bits_at(std::span<const Event> log, uint32_t number) {
  const Event& e = log[number - 1];
  const bool more = number < log.size() && log[number].op == Op::high;
  return e.bits | (more ? uint64_t(log[number].bits) << 32 : 0);
}

/// What a computation makes of two values; none of those that a replay does not do itself.
std::optional<uint64_t> joined(Op op, ElementType kind, uint64_t left, uint64_t right) {
  const auto by = [&](Op atomic) { return after_atomic(atomic, kind, left, right); };
  switch (op) {
    case Op::add: return by(Op::atomic_add);
    case Op::min: return by(Op::atomic_min);
    case Op::max: return by(Op::atomic_max);
    case Op::bit_and: return by(Op::atomic_and);
    case Op::bit_or: return by(Op::atomic_or);
    case Op::bit_xor: return by(Op::atomic_xor);
    default: return {};
  }
}

/// Whether the computation puts together what a lane got and these bits.
bool joins(const Node& made, uint64_t got, uint64_t own) {
  const auto kind = ElementType(made.kind);
  const auto result = joined(made.op, kind, own, got);
  return result && ((*result ^ made.bits) & mask_of(kind)) == 0;
}

/// A computation's operand without a node: a constant, or made of the thread's number. None where several
/// would give the result.
std::optional<uint64_t> untraced_operand(const Node& made, uint64_t got) {
  const auto kind = ElementType(made.kind);
  const uint64_t mask = mask_of(kind);
  const bool unique = made.op == Op::bit_xor || (made.op == Op::add && !is_float(kind)) ||
                      (made.op == Op::add && (got & mask) == 0 && (made.bits & mask) != 0) ||
                      ((made.op == Op::min || made.op == Op::max) && ((made.bits ^ got) & mask) != 0);
  if (!unique) return {};
  if (made.op == Op::bit_xor) return (made.bits ^ got) & mask;
  return (made.op == Op::add && !is_float(kind) ? made.bits - got : made.bits) & mask;
}

/// Whether a source is a constant: in the kernels' dialect it has no node; of a user's program its node
/// stands where a value of the trace first meets it.
bool is_constant(const DataflowGraph& flow, int source) {
  return source < 0 || flow.nodes[size_t(source)].op == Op::constant;
}

/// No log holds the value of a lane that no other lane took. But where lanes combine what they got with what
/// they gave (`sum += shuffle_up(sum, 1)`), as every lane whose value is known did, the other operand is that
/// value. Of a constant without a node it is the one that other lanes brought, if that gives the result.
void find_untaken(Exchange& e, const DataflowGraph& flow, const std::vector<int>& gave) {
  const auto made = [&](const Exchange::ExchangeLane& l) -> const Node& {
    return flow.nodes[size_t(l.used)];
  };
  const auto other = [&](const Exchange::ExchangeLane& l) {
    return made(l).a == l.node ? made(l).b : made(l).a;
  };
  const auto bits_of = [&](int id) { return flow.nodes[size_t(id)].bits; };
  int agreeing = 0;
  std::optional<uint64_t> constant;  // that a lane brought
  for (size_t k = 0; k < e.lanes.size(); ++k) {
    const Exchange::ExchangeLane& l = e.lanes[k];
    if (!l.gave || l.used < 0) continue;
    const int own = other(l);
    if (!is_constant(flow, gave[k])) {
      if (own != gave[k]) return;
    } else {
      if (!is_constant(flow, own)) return;
      if (own >= 0 ? bits_of(own) != l.given : !joins(made(l), l.taken, l.given)) return;
      constant = l.given;
    }
    ++agreeing;
  }
  if (!agreeing) return;
  for (Exchange::ExchangeLane& l : e.lanes) {
    if (l.gave || l.used < 0) continue;
    if (const int own = other(l); own >= 0) {
      l.given = bits_of(own);
      l.gave = true;
      continue;
    }
    l.joins_constant = true;
    const auto own =
        constant && joins(made(l), l.taken, *constant) ? constant : untraced_operand(made(l), l.taken);
    l.gave = own.has_value();
    l.given = own.value_or(0);
  }
}

}  // namespace

const Exchange::ExchangeLane* Exchange::of(int lane) const {
  const auto at = std::lower_bound(lanes.begin(), lanes.end(), lane,
                                   [](const ExchangeLane& l, int number) { return l.lane < number; });
  return at != lanes.end() && at->lane == lane ? &*at : nullptr;
}

std::vector<Exchange> exchanges(const Trace& trace, const DataflowGraph& flow, int launch, int block) {
  std::vector<Exchange> all;
  const Launch& l = trace.launches[size_t(launch)];
  if (size_t(block) >= l.blocks.size()) return all;
  const BlockRun& run = l.blocks[size_t(block)];
  if (std::none_of(run.events.begin(), run.events.end(), [](const Event& e) { return meets_lanes(e.op); }))
    return all;
  // The block's nodes lie between its first access and the next launch's.
  const auto of_launch = [&](int number) {
    return std::partition_point(flow.nodes.begin(), flow.nodes.end(),
                                [&](const Node& n) { return n.launch < number; }) -
           flow.nodes.begin();
  };
  const int first_thread = block * l.block;
  std::map<std::tuple<int, int, int, Op, int>, size_t> known;  // interval, warp, line, op, occurrence
  std::map<std::tuple<int, int, int, Op>, int> times;          // of a thread
  std::unordered_map<int, std::pair<size_t, size_t>> open;     // node: its exchange, its lane there
  for (long id = of_launch(launch), end = of_launch(launch + 1); id < end; ++id) {
    const Node& n = flow.nodes[size_t(id)];
    const int rank = n.thread - first_thread;
    if (rank < 0 || rank >= l.block) continue;
    if (computes(n.op)) {
      for (int source : {n.a, n.b})
        if (const auto it = open.find(source); it != open.end() && source >= 0) {
          all[it->second.first].lanes[it->second.second].used = int(id);
          open.erase(it);
        }
      continue;
    }
    if (!meets_lanes(n.op)) continue;
    const int time = times[{n.interval, rank, n.line, n.op}]++;
    const auto [at, fresh] =
        known.try_emplace({n.interval, rank / warp_size, n.line, n.op, time}, all.size());
    if (fresh) {
      Exchange e;
      e.launch = launch;
      e.block = block;
      e.warp = rank / warp_size;
      e.interval = n.interval;
      e.line = n.line;
      e.op = n.op;
      e.occurrence = time;
      e.lanes_in_warp = std::min(warp_size, l.block - e.warp * warp_size);
      e.kind = e.result_kind = ElementType(n.kind);
      if (n.op == Op::ballot || n.op == Op::match) e.result_kind = ElementType::u32;
      all.push_back(std::move(e));
    }
    Exchange::ExchangeLane lane;
    lane.lane = rank % warp_size;
    lane.node = int(id);
    lane.taken = n.bits;
    if (n.op == Op::shuffle) {
      lane.from = (n.place.index - first_thread) % warp_size;
    } else {
      const auto log = run.log(rank);
      const uint32_t own = log[size_t(n.event)].b;
      lane.gave = own > 0 || n.op == Op::ballot;
      lane.given = own > 0 ? bits_at(log, own) : n.bits >> lane.lane & 1;
    }
    open[int(id)] = {at->second, all[at->second].lanes.size()};
    all[at->second].lanes.push_back(lane);
  }
  for (Exchange& e : all) {
    std::sort(e.lanes.begin(), e.lanes.end(), [](const auto& a, const auto& b) { return a.lane < b.lane; });
    if (e.op == Op::ballot || e.op == Op::match) {
      for (const Exchange::ExchangeLane& lane : e.lanes)
        if (const int source = flow.nodes[size_t(lane.node)].a; source >= 0)
          e.kind = ElementType(flow.nodes[size_t(source)].kind);
      if (e.kind == ElementType::other || bytes_of(e.kind) == 0) e.kind = ElementType::u32;
      continue;
    }
    if (e.op != Op::shuffle) continue;
    std::vector<int> gave(e.lanes.size(), -1);  // the node whose value it was
    for (const Exchange::ExchangeLane& taker : e.lanes)
      for (size_t k = 0; k < e.lanes.size(); ++k)
        if (e.lanes[k].lane == taker.from) {
          e.lanes[k].gave = true;
          e.lanes[k].given = taker.taken;
          gave[k] = flow.nodes[size_t(taker.node)].a;
        }
    find_untaken(e, flow, gave);
  }
  return all;
}

int combined(const DataflowGraph& flow, const Exchange::ExchangeLane& lane) {
  if (lane.used < 0 || lane.node < 0) return -1;
  const Node& n = flow.nodes[size_t(lane.used)];
  if (!computes(n.op)) return -1;
  for (const auto& [got, own] : {std::pair(n.a, n.b), std::pair(n.b, n.a)}) {
    if (got != lane.node) continue;
    if (own < 0 && (lane.gave ? joins(n, lane.taken, lane.given) : lane.joins_constant)) return lane.used;
    const bool held = own >= 0 && (own < lane.node || (lane.gave && is_constant(flow, own)));
    if (held && (!lane.gave || flow.nodes[size_t(own)].bits == lane.given)) return lane.used;
  }
  return -1;
}

bool moves_something(const Exchange& e) {
  return e.op != Op::shuffle ||
         std::any_of(e.lanes.begin(), e.lanes.end(), [](const auto& l) { return l.from != l.lane; });
}

}  // namespace bscope
