#include "engine/analysis/array_state.hpp"

#include <algorithm>
#include <cmath>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {
namespace {

float largest_of_group(const ArrayState& s, int group) {
  constexpr int step = ArrayState::coarse_cells;
  float most = 0;
  for (int cell = group * step; cell < std::min(s.size(), (group + 1) * step); ++cell)
    if (s.is_known(cell)) most = std::max(most, float(std::fabs(s.value(cell))));
  return most;
}

ArrayState unknown(ElementType kind, int first, int end) {
  ArrayState s{kind, {}, {}};
  s.first = first;
  s.bits.resize(size_t(end - first));
  s.known.resize(size_t(end - first));
  return s;
}

}  // namespace

uint64_t written_bits(const DataflowGraph& flow, const Node& node, uint64_t old) {
  const ElementType kind = ElementType(node.kind);
  const uint64_t mask = mask_of(kind);
  if (!is_atomic(node.op)) return node.bits & mask;
  const uint64_t operand = node.b >= 0 ? flow.nodes[size_t(node.b)].bits : 0;
  return after_atomic(node.op, kind, old & mask, operand) & mask;
}
uint64_t written_bits(const DataflowGraph& flow, const Node& node) {
  return written_bits(flow, node, node.bits);
}

void make_coarse(ArrayState& s, int cells) {
  constexpr int step = ArrayState::coarse_cells;
  s.coarse.clear();
  if (cells < 512 * step) return;
  s.coarse.resize((s.bits.size() + size_t(step) - 1) / size_t(step));
  for (size_t k = 0; k < s.coarse.size(); ++k) s.coarse[k] = largest_of_group(s, s.first / step + int(k));
}

void apply(ArrayState& s, const DataflowGraph& flow, const Node& n) {
  const size_t at = size_t(n.place.index - s.first);
  s.bits[at] = written_bits(flow, n);
  s.known[at] = 1;
  if (s.coarse.empty()) return;
  const size_t group = at / ArrayState::coarse_cells;
  s.coarse[group] = largest_of_group(s, n.place.index / ArrayState::coarse_cells);
}

std::vector<float> largest_in_parts(const ArrayState& s, int first, int count, int parts) {
  std::vector<float> out(size_t(parts), 0);
  constexpr int step = ArrayState::coarse_cells;
  const int end = std::min(first + count, s.size());
  if (!s.coarse.empty() && int64_t(count) >= int64_t(parts) * step * 2) {
    for (int k = first / step; k * step < end; ++k) {
      const int64_t at = std::max(0, k * step - first);
      float& most = out[size_t(std::min<int64_t>(parts - 1, at * parts / count))];
      most = std::max(most, s.coarse[size_t(k - s.first / step)]);
    }
    return out;
  }
  for (int cell = std::max(0, first); cell < end; ++cell) {
    if (!s.is_known(cell)) continue;
    float& most = out[size_t(int64_t(cell - first) * parts / count)];
    most = std::max(most, float(std::fabs(s.value(cell))));
  }
  return out;
}

ArrayState state_of(const ArrayInfo& info, const std::vector<std::byte>& bytes, int first, int end) {
  ArrayState s = unknown(info.kind, first, end);
  const int width = bytes_of(info.kind);
  for (size_t cell = size_t(first); width && cell < size_t(end) && (cell + 1) * size_t(width) <= bytes.size();
       ++cell) {
    s.bits[cell - size_t(first)] = read_bits(&bytes[cell * size_t(width)], width);
    s.known[cell - size_t(first)] = 1;
  }
  return s;
}

ArrayState nothing_written(const ArrayInfo& info) { return unknown(info.kind, 0, info.size); }

ArrayState shared_state(const Trace& trace, const Interval& interval, int array) {
  const ArrayInfo& info = trace.array(trace.launches[size_t(interval.launch)], array);
  const int width = bytes_of(info.kind);
  ArrayState s = nothing_written(info);
  for (int cell = 0; width && cell < info.size; ++cell) {
    const size_t at = info.offset + size_t(cell) * size_t(width);
    if (at + size_t(width) > interval.shared.size() || !interval.wrote(at)) continue;
    s.bits[size_t(cell)] = read_bits(&interval.shared[at], width);
    s.known[size_t(cell)] = 1;
  }
  return s;
}

}  // namespace bscope
