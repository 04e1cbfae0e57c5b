#include "engine/analysis/replay_lanes.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/analysis/arithmetic.hpp"

namespace bscope::replay {

bool LaneReplay::shuffle(int t, const Event& e, uint64_t bits, int32_t& id) {
  const int peer = s_.first_lane(t) + int(std::min(e.a, uint32_t(warp_size)));
  Node n = s_.node(t, e, bits);
  n.kind = uint8_t(e.array ? kind_of(e) : ElementType::i32);
  n.place.index = t;
  if (e.a >= uint32_t(warp_size) || s_.block_of(peer) != s_.block_of(t) || peer >= int(s_.threads.size()) ||
      e.b > s_.threads[size_t(peer)].size) {
    s_.fault(t, e, message("the shuffle of {} in line {} reads a lane that is not there", s_.who(t), e.line));
  } else {
    n.place.index = peer;
    if (e.b > s_.threads[size_t(peer)].pos) {
      if (!s_.anything_goes()) return false;
      s_.fault(t, e,
               message("the shuffle of {} in line {} reads a value that its lane has not made yet", s_.who(t),
                       e.line));
    } else
      n.a = s_.value(peer, e.b);
  }
  if (n.a >= 0) {
    const Node& source = s_.flow.nodes[size_t(n.a)];
    n.kind = source.kind;
    if ((source.bits ^ n.bits) & mask_of(ElementType(source.kind)))
      s_.fault(
          t, e,
          message("the shuffle of {} in line {} gave another value than its lane had", s_.who(t), e.line));
  }
  id = s_.add(n);
  return true;
}

bool LaneReplay::reduce(int t, const Event& e, uint64_t bits, int32_t& id) {
  ReplayThread& me = s_.threads[size_t(t)];
  if (me.reduced < 0) {
    uint32_t together = 0;
    bool all = true;
    s_.for_lanes(t, e.a, [&](int peer) {
      const ReplayThread& other = s_.threads[size_t(peer)];
      const bool there = other.pos < other.size && other.log[other.pos].op == Op::reduce &&
                         other.log[other.pos].a == e.a && other.reduced < 0 && !other.at_barrier;
      all &= there;
      if (there) together |= 1u << (peer - s_.first_lane(t));
    });
    if (!all) {
      if (!s_.anything_goes()) return false;
      s_.fault(t, e, message("lanes are missing in the reduce_add in line {} of {}", e.line, s_.who(t)));
    }
    const int sum = add_up(t, together | 1u << (t - s_.first_lane(t)), e, bits);
    s_.for_lanes(t, together, [&](int peer) { s_.threads[size_t(peer)].reduced = sum; });
  }
  Node n = s_.node(t, e, bits);
  n.a = std::exchange(me.reduced, -1);
  n.kind = n.a >= 0 ? s_.flow.nodes[size_t(n.a)].kind : uint8_t(ElementType::i32);
  id = s_.add(n);
  return true;
}

int LaneReplay::add_up(int t, uint32_t lanes, const Event& e, uint64_t total) {
  const auto& nodes = s_.flow.nodes;
  std::vector<std::pair<int, int>> parts;  // lane's thread, node
  s_.for_lanes(t, lanes, [&](int peer) {
    const ReplayThread& other = s_.threads[size_t(peer)];
    if (const int from = s_.value(peer, other.log[other.pos].b); from >= 0) parts.emplace_back(peer, from);
  });
  const ElementType kind =
      parts.empty() ? ElementType::i32 : ElementType(nodes[size_t(parts[0].second)].kind);
  const auto sum_of = [&](uint64_t a, int node) {
    return after_atomic(Op::atomic_add, kind, a, nodes[size_t(node)].bits);
  };
  uint64_t sum = 0;
  for (auto [peer, from] : parts) sum = sum_of(sum, from);
  // lanes that brought a constant: what they brought together is what is left
  if (parts.empty() || ((total ^ sum) & mask_of(kind)) != 0) {
    Node rest = s_.node(t, e, is_float(kind) ? 0 : (total - sum) & mask_of(kind));
    rest.op = Op::constant;
    rest.kind = uint8_t(kind);
    parts.emplace_back(t, s_.add(rest));
  }
  int so_far = parts[0].second;
  for (auto [peer, from] : std::span(parts).subspan(1)) {
    Node n = s_.node(peer, e, sum_of(nodes[size_t(so_far)].bits, from));
    n.op = Op::add;
    n.kind = uint8_t(kind);
    n.a = so_far;
    n.b = from;
    so_far = s_.add(n);
    s_.its_block(t).intervals.back().work.push_back(so_far);
  }
  return so_far;
}

bool LaneReplay::meet(int t, uint32_t mask) {
  ReplayThread& me = s_.threads[size_t(t)];
  const auto here = [&](const ReplayThread& other) {
    return other.pos < other.size && !other.at_barrier && other.log[other.pos].op == Op::sync_warp &&
           other.log[other.pos].a == mask;
  };
  if (!me.released) {
    bool all = true;
    s_.for_lanes(t, mask, [&](int peer) {
      const ReplayThread& other = s_.threads[size_t(peer)];
      all &= other.pos == other.size || (here(other) && !other.released);
    });
    if (!all && !s_.anything_goes()) return false;
    if (!all) s_.fault(t, {.message = message("lanes are missing in a sync_warp of {}", s_.who(t))});
    s_.for_lanes(t, mask, [&](int peer) {
      if (ReplayThread& other = s_.threads[size_t(peer)]; here(other)) other.released = true;
    });
  }
  me.released = false;
  return true;
}

}  // namespace bscope::replay
