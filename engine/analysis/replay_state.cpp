#include "engine/analysis/replay_state.hpp"

#include <algorithm>

namespace bscope::replay {

Finding* ReplayState::fault(int t, Finding f) {
  auto& all = flow.faults;
  if (all.size() == most_faults || std::ranges::find(all, f.message, &Finding::message) != all.end())
    return nullptr;
  f.launch = number;
  if (t >= 0) f.block = block_of(t), f.thread = t % launch->block;
  return &all.emplace_back(std::move(f));
}
void ReplayState::fault(int t, const Event& e, Message what) {
  fault(t, {.line = e.line, .message = std::move(what)});
}
Message ReplayState::interval(int index, int block) const {
  return launch->grid > 1 ? message("interval {} of block {}", index, block) : message("interval {}", index);
}

Node ReplayState::node(int t, const Event& e, uint64_t bits) const {
  return {.op = e.op,
          .kind = uint8_t(ElementType::other),
          .line = e.line,
          .launch = number,
          .thread = t,
          .interval = blocks[size_t(block_of(t))].intervals.back().index,
          .event = int32_t(threads[size_t(t)].pos),
          .place = {},
          .bits = bits};
}
int ReplayState::add(const Node& n) {
  flow.nodes.push_back(n);
  return int(flow.nodes.size()) - 1;
}
int ReplayState::add_access(int t, const Node& n) {
  const ReplayThread& me = threads[size_t(t)];
  ReplayBlock& block = its_block(t);
  const int id = add(n);
  flow.sequence.push_back(id);
  Interval& interval = block.intervals.back();
  if (interval.nodes.empty() || me.phases < block.phases) {
    block.phase = me.phase;
    block.phases = me.phases;
  }
  interval.nodes.push_back(id);
  if (is_bulk(n.op)) interval.copies.push_back(id);
  return id;
}
int32_t ReplayState::value(int t, uint32_t source) {
  const ReplayThread& of = threads[size_t(t)];
  if (source == 0 || source > of.pos) return -1;
  const int32_t id = node_of[of.base + source - 1];
  if (id >= 0 && is_atomic(flow.nodes[size_t(id)].op)) flow.order_matters = true;
  return id;
}

}  // namespace bscope::replay
