#include "engine/analysis/globals.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

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
      writes_(trace.arrays.size()) {
  for (size_t l = trace.launches.size(); l-- > 0;) {
    const auto first = std::partition_point(flow.nodes.begin(), flow.nodes.end(),
                                            [&](const Node& n) { return n.launch < int(l); });
    launch_start_[l] = int32_t(first - flow.nodes.begin());
  }
  for (size_t a = 0; a < writes_.size(); ++a) writes_[a].begin.assign(size_t(trace.arrays[a].size) + 1, 0);
  for (const int32_t id : flow.global_writes) {
    const Place p = flow.nodes[size_t(id)].place;
    ++writes_[size_t(p.array)].begin[size_t(p.index) + 1];
  }
  std::vector<std::vector<uint32_t>> next;  // where each cell's next write goes
  for (Writes& w : writes_) {
    std::partial_sum(w.begin.begin(), w.begin.end(), w.begin.begin());
    w.nodes.resize(w.begin.back());
    next.push_back(w.begin);
  }
  for (const int32_t id : flow.global_writes) {
    const Place p = flow.nodes[size_t(id)].place;
    writes_[size_t(p.array)].nodes[next[size_t(p.array)][size_t(p.index)]++] = id;
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

int32_t Globals::holder(int array, int cell, int moment) const {
  const Writes& w = writes_[size_t(array)];
  const auto first = w.nodes.begin() + w.begin[size_t(cell)],
             end = w.nodes.begin() + w.begin[size_t(cell) + 1];
  const auto after = std::lower_bound(first, end, moment);
  return after == first ? -1 : *std::prev(after);
}

GlobalState Globals::at(int array, int moment) const {
  return at(array, moment, 0, trace_.arrays[size_t(array)].size);
}

GlobalState Globals::at(int array, int moment, int from, int to) const {
  GlobalState s;
  s.bits.reserve(size_t(to - from));
  s.holders.reserve(size_t(to - from));
  for (int cell = from; cell < to; ++cell) {
    const int32_t id = s.holders.emplace_back(holder(array, cell, moment));
    s.bits.push_back(id >= 0 ? left_by(trace_, flow_, flow_.nodes[size_t(id)])
                             : initial_bits(trace_, {array, cell}));
  }
  return s;
}

std::vector<Word> Globals::words_at(const WordTable& words, int array, int moment) const {
  std::vector<Word> all;
  const int size = trace_.arrays[size_t(array)].size;
  all.reserve(size_t(size));
  for (int cell = 0; cell < size; ++cell) {
    const int32_t id = holder(array, cell, moment);
    all.push_back(id >= 0 ? words[size_t(id)] : initial_word(trace_, {array, cell}));
  }
  return all;
}

}  // namespace bscope
