#include "engine/analysis/exchanges.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

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

/// No log holds the value of a lane that no other lane took. But where lanes combine what they got with what
/// they gave (`sum += shuffle_up(sum, 1)`), as every lane whose value is known did, the other operand is that
/// value.
void find_untaken(Exchange& e, const DataflowGraph& flow, const std::vector<int>& gave) {
  const auto other = [&](const Exchange::ExchangeLane& l) {
    const Node& n = flow.nodes[size_t(l.used)];
    return n.a == l.node ? n.b : n.a;
  };
  int agreeing = 0;
  for (size_t k = 0; k < e.lanes.size(); ++k) {
    if (!e.lanes[k].gave || e.lanes[k].used < 0) continue;
    if (gave[k] < 0 || other(e.lanes[k]) != gave[k]) return;
    ++agreeing;
  }
  if (!agreeing) return;
  for (Exchange::ExchangeLane& l : e.lanes)
    if (!l.gave && l.used >= 0 && other(l) >= 0) {
      l.gave = true;
      l.given = flow.nodes[size_t(other(l))].bits;
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
  for (const auto& [got, own] : {std::pair(n.a, n.b), std::pair(n.b, n.a)})
    if (got == lane.node && own >= 0 && own < lane.node &&
        (!lane.gave || flow.nodes[size_t(own)].bits == lane.given))
      return lane.used;
  return -1;
}

bool moves_something(const Exchange& e) {
  return e.op != Op::shuffle ||
         std::any_of(e.lanes.begin(), e.lanes.end(), [](const auto& l) { return l.from != l.lane; });
}

}  // namespace bscope
