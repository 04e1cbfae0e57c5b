#include "engine/analysis/globals.hpp"

#include <algorithm>

#include "engine/analysis/arithmetic.hpp"

namespace bscope {
namespace {

/// What the cell holds after this store or atomic.
uint64_t left_by(const Trace& trace, const Flow& flow, const Node& n) {
  const Kind kind = trace.arrays[size_t(n.place.array)].kind;
  const uint64_t mask = mask_of(kind);
  if (!is_atomic(n.op)) return n.bits & mask;
  const uint64_t operand = n.b >= 0 ? flow.nodes[size_t(n.b)].bits : 0;
  return after_atomic(n.op, kind, n.bits & mask, operand) & mask;
}

}  // namespace

Globals::Globals(const Trace& trace, const Flow& flow)
    : trace_(trace),
      flow_(flow),
      launch_start_(trace.launches.size() + 1, int32_t(flow.nodes.size())),
      writes_(trace.arrays.size()),
      checkpoints_(trace.arrays.size()) {
  for (size_t l = trace.launches.size(); l-- > 0;) {
    const auto first = std::partition_point(flow.nodes.begin(), flow.nodes.end(),
                                            [&](const Node& n) { return n.launch < int(l); });
    launch_start_[l] = int32_t(first - flow.nodes.begin());
  }
  // A checkpoint every so many writes as the array has cells: all together hold no more than the writes do.
  constexpr size_t fewest = 256;
  std::vector<std::vector<int32_t>> now(trace.arrays.size());
  for (size_t a = 0; a < now.size(); ++a) now[a].assign(size_t(trace.arrays[a].size), -1);
  for (const int32_t id : flow.global_writes) {
    const Place p = flow.nodes[size_t(id)].place;
    auto& held = now[size_t(p.array)];
    auto& writes = writes_[size_t(p.array)];
    held[size_t(p.index)] = id;
    writes.push_back(id);
    if (writes.size() % std::max(fewest, held.size()) == 0)
      checkpoints_[size_t(p.array)].push_back({writes.size(), held});
  }
}

int Globals::before_launch(int launch) const { return launch_start_[size_t(launch)]; }
int Globals::after_launch(int launch) const { return launch_start_[size_t(launch) + 1]; }

int Globals::after(const Interval& v) const {
  const auto block = flow_.of_block(v.launch, v.block);
  for (int k = std::min(v.index, int(block.size()) - 1); k >= 0; --k)
    if (const auto& nodes = block[size_t(k)].nodes; !nodes.empty()) return nodes.back() + 1;
  return before_launch(v.launch);
}

std::vector<int32_t> Globals::holders(int array, int moment) const {
  const auto& writes = writes_[size_t(array)];
  const size_t end = size_t(std::lower_bound(writes.begin(), writes.end(), moment) - writes.begin());
  const auto& kept = checkpoints_[size_t(array)];
  const auto after =
      std::partition_point(kept.begin(), kept.end(), [&](const Checkpoint& c) { return c.writes <= end; });
  std::vector<int32_t> held;
  size_t from = 0;
  if (after == kept.begin()) {
    held.assign(size_t(trace_.arrays[size_t(array)].size), -1);
  } else {
    held = std::prev(after)->holders;
    from = std::prev(after)->writes;
  }
  for (size_t k = from; k < end; ++k) held[size_t(flow_.nodes[size_t(writes[k])].place.index)] = writes[k];
  return held;
}

GlobalState Globals::at(int array, int moment) const {
  GlobalState s{{}, holders(array, moment)};
  s.bits.reserve(s.holders.size());
  for (size_t cell = 0; cell < s.holders.size(); ++cell) {
    const int32_t id = s.holders[cell];
    s.bits.push_back(id >= 0 ? left_by(trace_, flow_, flow_.nodes[size_t(id)])
                             : initial_bits(trace_, {array, int(cell)}));
  }
  return s;
}

std::vector<Word> Globals::words_at(const WordTable& words, int array, int moment) const {
  std::vector<Word> all;
  const auto held = holders(array, moment);
  all.reserve(held.size());
  for (size_t cell = 0; cell < held.size(); ++cell)
    all.push_back(held[cell] >= 0 ? words[size_t(held[cell])] : initial_word(trace_, {array, int(cell)}));
  return all;
}

}  // namespace bscope
