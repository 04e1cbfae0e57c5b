// Within an interval, for the pictures: sub-steps, the states between them, and what cells are words of.
#include <algorithm>

#include "app/tabs/watch/model.hpp"

namespace bscope {
namespace {

/// The nodes of a request: its lanes', and the further cells of those that asked for several at once.
std::vector<int> nodes_of(const WarpRequest& r, const Trace& trace, const Flow& flow, const Interval& v) {
  const int width = std::max(1, bytes_of(trace.array(trace.launches[size_t(r.launch)], r.array).kind));
  std::vector<int> out;
  for (const WarpRequest::Lane& lane : r.lanes) {
    out.push_back(lane.node);
    const int thread = flow.nodes[size_t(lane.node)].thread;
    auto at = std::upper_bound(v.nodes.begin(), v.nodes.end(), lane.node);
    for (int more = lane.bytes / width - 1; more > 0 && at != v.nodes.end(); ++at)
      if (flow.nodes[size_t(*at)].thread == thread) out.push_back(*at), --more;
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

bool moves_something(const Exchange& e) {
  return e.op != Op::shuffle ||
         std::any_of(e.lanes.begin(), e.lanes.end(), [](const auto& l) { return l.from != l.lane; });
}

const std::vector<Exchange>& WatchModel::exchanges(int launch, int block) const {
  const auto [at, fresh] = exchanges_.try_emplace({launch, block});
  if (fresh) at->second = bscope::exchanges(trace(), flow(), launch, block);
  return at->second;
}

const std::vector<SubStep>& WatchModel::substeps(const Step& step) const {
  const auto [at, fresh] = substeps_.try_emplace(step.flow_index);
  if (fresh)
    at->second = bscope::substeps(trace(), *step.interval, run().report.requests_of(size_t(step.flow_index)),
                                  exchanges(step.interval->launch, step.interval->block));
  return at->second;
}

const Instruction* WatchModel::instruction(const Cursor& c) const {
  const Step* here = step(c);
  if (!here || c.substep < 0) return nullptr;
  const std::vector<SubStep>& all = substeps(*here);
  if (all.empty()) return nullptr;
  const int number = std::min(c.substep, int(all.size()) - 1);
  if (instruction_ && instruction_->step == here && instruction_->number == number) return instruction_.get();
  auto made = std::make_unique<Instruction>();
  Instruction& i = *made;
  i.step = here;
  i.what = all[size_t(number)];
  i.number = number;
  i.of = int(all.size());
  const auto take_ranks = [&](const auto& lanes) {
    for (const auto& lane : lanes) i.ranks.push_back(i.what.warp * warp_size + lane.lane);
  };
  if (i.what.exchange >= 0) {
    i.exchange = &exchanges(here->interval->launch, here->interval->block)[size_t(i.what.exchange)];
    take_ranks(i.exchange->lanes);
    return (instruction_ = std::move(made)).get();
  }
  i.request = &run().report.requests_of(size_t(here->flow_index))[size_t(i.what.request)];
  take_ranks(i.request->lanes);
  i.nodes = nodes_of(*i.request, trace(), flow(), *here->interval);
  const auto ours = [&](int node) { return std::binary_search(i.nodes.begin(), i.nodes.end(), node); };
  if (writes(i.request->op)) {
    for (const Move& m : here->moves())
      if (!m.held && ours(m.arrow.node)) i.moves.push_back(m);
  } else {
    for (int id : i.nodes) i.moves.push_back(Move::held_load(id, flow().nodes[size_t(id)]));
  }
  std::map<uint64_t, Step::Written> written;
  for (int id : i.nodes)
    if (const Node& n = flow().nodes[size_t(id)]; writes(n.op)) {
      Step::Written& w = written[Step::key(n.place)];
      ++w.times;
      w.node = id;
    }
  i.written.assign(written.begin(), written.end());
  return (instruction_ = std::move(made)).get();
}

// Stores leave their values, atomics what they make of the cell as it is by then: of the orders that the
// barriers allow the sub-steps' own.
StatePtr WatchModel::part_way(const Step& step, int count, const Part& part) const {
  const std::vector<SubStep>& all = substeps(step);
  if (count >= int(all.size())) return after(step, part);
  const StatePtr begin = before(step, part);
  if (count == 0) return begin;
  auto state = std::make_shared<ArrayState>(*begin);
  const auto requests = run().report.requests_of(size_t(step.flow_index));
  for (int k = 0; k < count; ++k) {
    const SubStep& s = all[size_t(k)];
    if (s.request < 0) continue;
    const WarpRequest& r = requests[size_t(s.request)];
    if (r.array != part.array || !writes(r.op)) continue;
    for (int id : nodes_of(r, trace(), flow(), *step.interval)) {
      const Node& n = flow().nodes[size_t(id)];
      const int at = n.place.index - state->first;
      if (!writes(n.op) || at < 0 || at >= int(state->bits.size())) continue;
      state->bits[size_t(at)] = written_bits(flow(), n, state->bits[size_t(at)]);
      state->known[size_t(at)] = 1;
    }
  }
  make_coarse(*state);
  return state;
}

StatePtr WatchModel::before(const Instruction& i, const Part& part) const {
  return part_way(*i.step, i.number, part);
}
StatePtr WatchModel::after(const Instruction& i, const Part& part) const {
  return part_way(*i.step, i.number + 1, part);
}

int WatchModel::holder(const Instruction& i, Place p) const {
  const Step& step = *i.step;
  int out = writers(step, {p.array, p.index, 1}, false)[0];
  const std::vector<SubStep>& all = substeps(step);
  const auto requests = run().report.requests_of(size_t(step.flow_index));
  for (int k = 0; k <= i.number && k < int(all.size()); ++k) {
    if (all[size_t(k)].request < 0) continue;
    const WarpRequest& r = requests[size_t(all[size_t(k)].request)];
    if (r.array != p.array || !writes(r.op)) continue;
    for (int id : nodes_of(r, trace(), flow(), *step.interval))
      if (const Node& n = flow().nodes[size_t(id)]; writes(n.op) && n.place == p) out = id;
  }
  return out;
}

uint64_t WatchModel::found(const Instruction* i, int node) const {
  const Node& n = flow().nodes[size_t(node)];
  if (!i || !is_atomic(n.op) || !std::binary_search(i->nodes.begin(), i->nodes.end(), node)) return n.bits;
  const StatePtr state = before(*i, Part{n.place.array, n.place.index, 1});
  uint64_t bits = state->is_known(n.place.index) ? state->bits_of(n.place.index) : n.bits;
  for (int id : i->nodes) {
    if (id == node) break;
    if (const Node& other = flow().nodes[size_t(id)]; writes(other.op) && other.place == n.place)
      bits = written_bits(flow(), other, bits);
  }
  return bits;
}

WhyIdle WatchModel::why_idle(const Step& step, int rank) const {
  WhyIdle out;
  const Interval& v = *step.interval;
  const Launch& l = trace().launches[size_t(v.launch)];
  if (size_t(v.block) >= l.blocks.size()) return out;
  int barriers = 0;
  for (const Event& e : l.blocks[size_t(v.block)].log(rank)) {
    if (e.op == Op::sync && ++barriers > v.index) return out;
    if (barriers == v.index && e.op == Op::branch && e.bits == 0 && !out.line) out.line = e.line;
  }
  out.ended = barriers < v.index;
  return out;
}

std::shared_ptr<const PartWords> WatchModel::words_at(const Part& part, int moment) const {
  auto made = std::make_shared<PartWords>();
  if (part.array < 0) return made;
  const WordTable& table = run().report.words();
  made->first = part.first;
  for (int cell = part.first; cell < part.first + part.size; ++cell) {
    const int writer = history().writer({part.array, cell}, moment);
    made->words.push_back(writer >= 0 ? table[size_t(writer)] : initial_word(trace(), {part.array, cell}));
  }
  return made;
}

std::shared_ptr<const PartWords> WatchModel::words_after(const Step& step, const Part& part) const {
  if (words_.size() > 256) words_.clear();
  auto& kept = words_[{step.flow_index, part.array, part.first, part.size, true}];
  if (kept) return kept;
  if (part.array < first_shared) return kept = words_at(part, history().moments(*step.interval).second);
  // the words of all shared arrays come together
  auto made = std::make_shared<PartWords>();
  const auto all = content(trace(), flow(), run().report.words(), *step.interval);
  if (size_t(part.array - first_shared) < all.size()) made->words = all[size_t(part.array - first_shared)];
  return kept = std::move(made);
}

std::shared_ptr<const PartWords> WatchModel::words_before(const Step& step, const Part& part) const {
  const Interval& v = *step.interval;
  if (part.array >= first_shared) {
    if (v.index == 0) return std::make_shared<PartWords>();
    return words_after(block(v.launch, v.block).steps[size_t(v.index) - 1], part);
  }
  if (words_.size() > 256) words_.clear();
  auto& kept = words_[{step.flow_index, part.array, part.first, part.size, false}];
  return kept ? kept : kept = words_at(part, history().moments(v).first);
}

}  // namespace bscope
