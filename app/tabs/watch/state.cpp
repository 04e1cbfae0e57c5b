#include "app/tabs/watch/state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

namespace bscope {
namespace {

uint64_t bits_at(Kind kind, const std::byte* cell) {
  uint64_t bits = 0;  // traces and their readers are little-endian
  std::memcpy(&bits, cell, size_t(bytes_of(kind)));
  return bits;
}

template <class T>
uint64_t combine(Op op, uint64_t old, uint64_t operand) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  const T x = std::bit_cast<T>(Bits(old)), y = std::bit_cast<T>(Bits(operand));
  return std::bit_cast<Bits>(op == Op::atomic_max ? std::max(x, y) : T(x + y));
}

}  // namespace

uint64_t written_bits(const Flow& flow, const Node& node, uint64_t old) {
  if (!is_atomic(node.op)) return node.bits;
  const uint64_t operand = node.b >= 0 ? flow.nodes[size_t(node.b)].bits : 0;
  if (node.op == Op::atomic_exch) return operand;
  switch (Kind(node.kind)) {
    case Kind::f32: return combine<float>(node.op, old, operand);
    case Kind::f64: return combine<double>(node.op, old, operand);
    case Kind::i32: {
      if (node.op == Op::atomic_max) return combine<int32_t>(node.op, old, operand);
      return uint32_t(old + operand);  // sums wrap: no signed overflow
    }
    case Kind::i64:
      return node.op == Op::atomic_max ? combine<int64_t>(node.op, old, operand) : old + operand;
    case Kind::u64: return combine<uint64_t>(node.op, old, operand);
    default: return combine<uint32_t>(node.op, old, operand);
  }
}
uint64_t written_bits(const Flow& flow, const Node& node) { return written_bits(flow, node, node.bits); }

namespace {
float largest_of_group(const ArrayState& s, int group) {
  constexpr int step = ArrayState::coarse_cells;
  float most = 0;
  for (int cell = group * step; cell < std::min(s.size(), (group + 1) * step); ++cell)
    if (s.is_known(cell)) most = std::max(most, float(std::fabs(s.value(cell))));
  return most;
}
}  // namespace

void make_coarse(ArrayState& s, int cells) {
  constexpr int step = ArrayState::coarse_cells;
  s.coarse.clear();
  if (cells < 512 * step) return;
  s.coarse.resize((s.bits.size() + size_t(step) - 1) / size_t(step));
  for (size_t k = 0; k < s.coarse.size(); ++k) s.coarse[k] = largest_of_group(s, s.first / step + int(k));
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

ArrayState shared_state(const Trace& trace, const Interval& interval, int array) {
  const ArrayInfo& info = trace.array(trace.launches[size_t(interval.launch)], array);
  const int bytes = bytes_of(info.kind);
  ArrayState s;
  s.kind = info.kind;
  s.bits.resize(size_t(info.size));
  s.known.resize(size_t(info.size));
  if (!bytes) return s;
  for (int cell = 0; cell < info.size; ++cell) {
    const size_t at = info.offset + size_t(cell) * size_t(bytes);
    if (at + size_t(bytes) > interval.shared.size() || !interval.wrote(at)) continue;
    s.bits[size_t(cell)] = bits_at(info.kind, &interval.shared[at]);
    s.known[size_t(cell)] = 1;
  }
  return s;
}

GlobalHistory::GlobalHistory(const Trace& trace, const Flow& flow)
    : trace_(trace), flow_(flow), kept_(trace.arrays.size()) {
  for (int launch = 0; launch <= int(trace.launches.size()); ++launch) {
    const auto start = std::partition_point(flow.sequence.begin(), flow.sequence.end(),
                                            [&](int id) { return flow.nodes[size_t(id)].launch < launch; });
    launch_start_.push_back(int32_t(start - flow.sequence.begin()));
  }
}

int GlobalHistory::node_at(int moment) const {
  return size_t(moment) < flow_.sequence.size() ? flow_.sequence[size_t(moment)] : int(flow_.nodes.size());
}
int GlobalHistory::moment_of(int node) const {
  return int(std::lower_bound(flow_.sequence.begin(), flow_.sequence.end(), node) - flow_.sequence.begin());
}

std::pair<int, int> GlobalHistory::moments(const Interval& interval) const {
  if (interval.nodes.empty()) {
    if (interval.index > 0) {
      const auto block = flow_.of_block(interval.launch, interval.block);
      const int end = moments(block[size_t(interval.index) - 1]).second;
      return {end, end};
    }
    const int start = launch_start_[size_t(interval.launch)];
    return {start, start};
  }
  const auto [answer, fresh] = moments_.try_emplace(&interval);
  if (!fresh) return answer->second;
  const auto [first, last] = std::minmax_element(interval.nodes.begin(), interval.nodes.end());
  return answer->second = {moment_of(*first), moment_of(*last) + 1};
}

int GlobalHistory::writer(Place p, int moment) const {
  const auto all = flow_.writes_of.of(p);
  const auto end = std::lower_bound(all.begin(), all.end(), node_at(moment));
  return end == all.begin() ? -1 : end[-1];
}

int GlobalHistory::launch_before(int moment) const {
  if (!flow_.snapshots_match) return 0;
  return std::max(
      0,
      int(std::upper_bound(launch_start_.begin(), launch_start_.end(), moment) - launch_start_.begin()) - 1);
}

ArrayState GlobalHistory::at_start(int array, int launch, int first, int end) const {
  const ArrayInfo& info = trace_.arrays[size_t(array)];
  const std::vector<std::byte>* cells = &info.initial;
  if (launch > 0 && size_t(array) < trace_.launches[size_t(launch) - 1].after.size())
    cells = &trace_.launches[size_t(launch) - 1].after[size_t(array)];
  ArrayState state;
  const size_t bytes = size_t(bytes_of(info.kind)), from = size_t(first);
  state.kind = info.kind;
  state.first = first;
  state.bits.resize(size_t(end - first));
  state.known.resize(size_t(end - first));
  for (size_t cell = from; bytes && cell < size_t(end) && (cell + 1) * bytes <= cells->size(); ++cell) {
    state.bits[cell - from] = bits_at(info.kind, &(*cells)[cell * bytes]);
    state.known[cell - from] = 1;
  }
  return state;
}

ArrayState GlobalHistory::part_at(int array, int moment, int first, int count) const {
  constexpr int step = ArrayState::coarse_cells;
  const int cells = trace_.arrays[size_t(array)].size;
  first = std::clamp(first, 0, cells) / step * step;
  const int end = std::clamp((first + count + 2 * step - 1) / step * step, first, cells);
  const int launch = launch_before(moment);
  ArrayState state = at_start(array, launch, first, end);
  const int least = node_at(launch_start_[size_t(launch)]), now = node_at(moment);
  for (int cell = first; cell < end; ++cell) {
    const auto all = flow_.writes_of.of({array, cell});
    const auto next = std::lower_bound(all.begin(), all.end(), now);
    if (next == all.begin() || next[-1] < least) continue;
    state.bits[size_t(cell - first)] = written_bits(flow_, flow_.nodes[size_t(next[-1])]);
    state.known[size_t(cell - first)] = 1;
  }
  make_coarse(state, cells);
  return state;
}

StatePtr GlobalHistory::at(int array, int moment) const {
  auto& kept = kept_[size_t(array)];
  const auto next = kept.upper_bound(moment);
  const auto nearest = next == kept.begin() ? kept.end() : std::prev(next);
  if (nearest != kept.end() && nearest->first == moment) return nearest->second;

  // From the latest state that is known, be it kept or what a launch has really left.
  const int launch = launch_before(moment);
  int from = launch > 0 ? launch_start_[size_t(launch)] : 0;
  std::shared_ptr<ArrayState> state;
  if (nearest != kept.end() && nearest->first >= from) {
    state = std::make_shared<ArrayState>(*nearest->second);
    from = nearest->first;
  } else
    state = std::make_shared<ArrayState>(at_start(array, launch, 0, trace_.arrays[size_t(array)].size));
  const auto write = [&](int id) {
    const Node& n = flow_.nodes[size_t(id)];
    state->bits[size_t(n.place.index)] = written_bits(flow_, n);
    state->known[size_t(n.place.index)] = 1;
  };
  const auto& writes = flow_.global_writes;
  const int least = node_at(from), end = node_at(moment);
  const auto first = std::lower_bound(writes.begin(), writes.end(), least),
             last = std::lower_bound(first, writes.end(), end);
  if (size_t(last - first) > 16 * state->bits.size()) {  // few cells: the last write of each
    for (int cell = 0; cell < state->size(); ++cell)
      if (const int id = writer({array, cell}, moment); id >= least) write(id);
  } else {
    for (auto w = first; w != last; ++w)
      if (flow_.nodes[size_t(*w)].place.array == array) write(*w);
  }
  if (state->coarse.empty() || size_t(last - first) > state->coarse.size())
    make_coarse(*state);
  else  // of a state not long before: only what has changed
    for (auto w = first; w != last; ++w)
      if (const Place p = flow_.nodes[size_t(*w)].place; p.array == array) {
        const int group = p.index / ArrayState::coarse_cells;
        state->coarse[size_t(group)] = largest_of_group(*state, group);
      }
  // Large arrays are kept for the steps on screen only; the rest is computed again when it is asked for.
  constexpr size_t most_cells = size_t(4) << 20;
  if (!kept.empty() && (kept.size() + 1) * state->bits.size() > most_cells) kept.clear();
  return kept[moment] = std::move(state);
}

}  // namespace bscope
