#include "app/tabs/watch/array/warp.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "app/run/values.hpp"
#include "app/session/motion.hpp"
#include "app/tabs/watch/array/moves.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/substeps.hpp"

namespace bscope {
namespace {

const std::vector<Exchange>& exchanges_of_block(const StepView& v) {
  return v.model.exchanges(v.block.launch, v.block.block);
}

int distinct_masks(const Exchange& e) {
  std::set<uint64_t> masks;
  for (const Exchange::ExchangeLane& l : e.lanes) masks.insert(l.taken);
  return int(masks.size());
}

/// While the step is played, its exchanges come one after the other.
int happened_by_now(const StepView& v, int focus, int all) {
  if (focus >= 0) return focus + 1;
  if (v.phase >= 1.0f) return all;
  return int(std::ceil(progress(v.phase, reading_ms, landing_ms) * float(all)));
}

}  // namespace

bool has_lanes(const StepView& v) { return !exchanges_of_block(v).empty(); }

int shown_warp(const StepView& v) {
  if (v.hides || v.array_chosen || (v.sub && !v.sub->exchange)) return -1;
  if (v.sub) return v.sub->what.warp;
  int first = -1;
  const int wanted = v.followed >= 0 ? v.followed / warp_size : -1;
  for (const Exchange& e : exchanges_of_block(v)) {
    if (e.interval != v.step.interval->index) continue;
    if (e.warp == wanted) return wanted;
    if (first < 0 || e.warp < first) first = e.warp;
  }
  // a thread of a warp that hands nothing on is followed in the cells
  return wanted >= 0 && v.thread_chosen ? -1 : first;
}

WarpLanes::WarpLanes(const StepView& v, int of)
    : warp(of), lanes(std::min(warp_size, v.threads - of * warp_size)) {
  const Exchange* present = v.sub ? v.sub->exchange : nullptr;
  for (const SubStep& s : v.model.substeps(v.step)) {
    if (s.exchange < 0 || s.warp != warp) continue;
    const Exchange& e = exchanges_of_block(v)[size_t(s.exchange)];
    if (!moves_something(e) && present != &e) {
      ++idle;
      continue;
    }
    if (present == &e) focus = count();
    exchanges.push_back(&e);
  }
  held = lane_rows(v.model.flow(), exchanges, lanes);
  happened = happened_by_now(v, focus, count());
  if (v.followed >= 0 && v.followed / warp_size == warp) followed = v.followed % warp_size;
  if (v.thread_chosen) asked = followed;
}

bool WarpLanes::gives(int number, int lane) const {
  if (number >= count()) return false;
  const Exchange& e = exchange(number);
  if (e.op != Op::shuffle) return e.of(lane);
  return std::ranges::any_of(
      e.lanes, [&](const Exchange::ExchangeLane& l) { return l.from == lane && l.lane != lane; });
}

std::string lane_words(const LaneRows::LaneValue& l, bool briefly) {
  if (l.votes >= 0) return "x" + std::to_string(l.votes);
  const ArrayState one{l.kind, {l.bits}, {1}};
  return briefly ? brief(one, 0) : value_text(one, 0);
}

std::string exchange_pattern(const Exchange& e) {
  if (e.op == Op::reduce) return tr("sum of lanes");
  if (e.op == Op::ballot) return tr("ballot");
  if (e.op == Op::match) return tr("match");
  std::set<int> masks, distances, sources;
  for (const Exchange::ExchangeLane& l : e.lanes) {
    sources.insert(l.from);
    if (l.from == l.lane) continue;
    masks.insert(l.from ^ l.lane);
    distances.insert(l.lane - l.from);
  }
  const auto one = [](const std::set<int>& s) { return s.size() == 1; };
  const bool all_move = std::ranges::all_of(e.lanes, [](const auto& l) { return l.from != l.lane; });
  if (masks.empty()) return tr("no move");
  if (one(masks) && all_move && e.lanes.size() > 1) return tr("xor {}", *masks.begin());
  if (one(distances))
    return *distances.begin() > 0 ? tr("up {}", *distances.begin()) : tr("down {}", -*distances.begin());
  if (one(sources)) return tr("from lane {}", *sources.begin());
  return tr("shuffle");
}

std::string exchange_operator(const StepView& v, const WarpLanes& w, int number) {
  for (const int made : w.held.made[size_t(number)])
    if (made >= 0) {
      const Op op = v.node(made).op;
      return op == Op::add ? "+" : op == Op::min ? "min" : op == Op::max ? "max" : "";
    }
  return {};
}

std::string lane_sentence(const StepView& v, const WarpLanes& w, int number,
                          const Exchange::ExchangeLane& l) {
  const Exchange& e = w.exchange(number);
  if (e.op == Op::ballot) return tr("{} lanes voted yes.", std::popcount(uint32_t(l.taken)));
  if (e.op == Op::match) return tr("{} lanes have the same value as it.", std::popcount(uint32_t(l.taken)));
  const std::string got = value_text(e.result_kind, l.taken);
  if (e.op == Op::reduce) return tr("It gets the sum of all lanes, {}.", got);
  if (l.from == l.lane) return tr("It takes from no other lane.");
  const int made = w.made_by(number, l.lane);
  if (made < 0) return tr("It takes {} from lane {}.", got, l.from);
  const Node& n = v.node(made);
  return tr("It takes {} from lane {} and makes {} of it.", got, l.from,
            value_text(ElementType(n.kind), n.bits));
}

std::string common_result(const Exchange& e) {
  if (e.lanes.empty()) return {};
  const uint64_t taken = e.lanes[0].taken;
  if (e.op == Op::reduce) return "+ " + value_text(e.kind, taken);
  if (e.op == Op::ballot) return tr("{} of {} say yes", std::popcount(uint32_t(taken)), e.lanes.size());
  return tr("{} distinct values", distinct_masks(e));
}

std::string stores_of_lanes(const StepView& v, const WarpLanes& w) {
  if (!v.landed) return {};
  int stores = 0;
  std::set<int> lanes;
  int first_lane = 0;
  std::string cell, value;  // of the first store
  for (const Move& m : v.step.moves()) {
    const int rank = m.arrow.thread % v.threads;
    if (m.held || rank / warp_size != w.warp) continue;
    const Exchange::ExchangeLane* at_last =
        w.exchanges.empty() ? nullptr : w.exchanges.back()->of(rank % warp_size);
    if (at_last && m.arrow.node < at_last->node) continue;
    lanes.insert(rank % warp_size);
    if (++stores > 1) continue;
    first_lane = rank % warp_size;
    cell = v.name(m.arrow.to);
    value = value_written(v, m);
  }
  if (!stores) return {};
  if (lanes.size() > 1)
    return tr("then {} lanes store; lane {}: {} = {}", lanes.size(), first_lane, cell, value);
  const std::string first = tr("then lane {} stores {} = {}", first_lane, cell, value);
  return stores > 1 ? tr("{} and {} more", first, stores - 1) : first;
}

}  // namespace bscope
