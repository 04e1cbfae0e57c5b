#include "engine/analysis/globals.hpp"

#include <algorithm>
#include <iterator>

#include "engine/analysis/content.hpp"
#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

Globals::Globals(const Trace& trace, const DataflowGraph& flow)
    : trace_(trace), flow_(flow), kept_(trace.arrays.size()) {
  for (int launch = 0; launch <= int(trace.launches.size()); ++launch) {
    const auto first = std::partition_point(flow.nodes.begin(), flow.nodes.end(),
                                            [&](const Node& n) { return n.launch < launch; });
    launch_start_.push_back(int32_t(first - flow.nodes.begin()));
  }
}

int Globals::after(const Interval& v) const {
  const auto block = flow_.of_block(v.launch, v.block);
  for (int k = std::min(v.index, int(block.size()) - 1); k >= 0; --k)
    if (const auto& nodes = block[size_t(k)].nodes; !nodes.empty()) return nodes.back() + 1;
  return before_launch(v.launch);
}
int Globals::before(const Interval& v) const { return v.nodes.empty() ? after(v) : v.nodes.front(); }

int Globals::writer(CellRef p, int moment) const {
  const auto all = flow_.writes_of.of(p);
  const auto after = std::lower_bound(all.begin(), all.end(), moment);
  return after == all.begin() ? -1 : *std::prev(after);
}

std::vector<int> Globals::writers(const ArrayRange& part, int moment) const {
  std::vector<int> all;
  all.reserve(size_t(std::max(0, part.size)));
  for (int k = 0; k < part.size; ++k) all.push_back(writer({part.array, part.first + k}, moment));
  return all;
}

std::vector<Word> Globals::words_at(const WordTable& words, const ArrayRange& part, int moment) const {
  std::vector<Word> all;
  all.reserve(size_t(std::max(0, part.size)));
  for (int cell = part.first; cell < part.first + part.size; ++cell) {
    const int node = writer({part.array, cell}, moment);
    all.push_back(node >= 0 ? words[size_t(node)] : initial_word(trace_, {part.array, cell}));
  }
  return all;
}

int Globals::launch_before(int moment) const {
  if (!flow_.snapshots_match) return 0;
  const auto after = std::upper_bound(launch_start_.begin(), launch_start_.end(), moment);
  return std::clamp(int(after - launch_start_.begin()) - 1, 0, std::max(0, int(trace_.launches.size()) - 1));
}

ArrayState Globals::at_start(int array, int launch, int first, int end) const {
  const ArrayInfo& info = trace_.arrays[size_t(array)];
  const bool left = launch > 0 && size_t(array) < trace_.launches[size_t(launch) - 1].after.size();
  return state_of(info, left ? trace_.launches[size_t(launch) - 1].after[size_t(array)] : info.initial, first,
                  end);
}

ArrayState Globals::cell_by_cell(const ArrayRange& part, int moment) const {
  constexpr int step = ArrayState::coarse_cells;
  const int cells = trace_.arrays[size_t(part.array)].size;
  const int first = std::clamp(part.first, 0, cells) / step * step;
  const int end = std::clamp((first + part.size + 2 * step - 1) / step * step, first, cells);
  const int launch = launch_before(moment), least = before_launch(launch);
  ArrayState state = at_start(part.array, launch, first, end);
  for (int cell = first; cell < end; ++cell)
    if (const int node = writer({part.array, cell}, moment); node >= least)
      apply(state, flow_, flow_.nodes[size_t(node)]);
  make_coarse(state, cells);
  return state;
}

StatePtr Globals::at(const ArrayRange& part, int moment) const {
  // the state of the whole array would have to be replayed from the start of the launch, or copied
  if (part.size > trace_.arrays[size_t(part.array)].size / 4) return at(part.array, moment);
  const std::tuple key(part.array, part.first, part.size, moment);
  if (const auto it = parts_.find(key); it != parts_.end()) return it->second;
  constexpr size_t most_cells = size_t(1) << 20;
  const auto size = size_t(std::max(0, part.size));
  if (part_cells_ + size > most_cells || parts_.size() > 4096) parts_.clear(), part_cells_ = 0;
  part_cells_ += size;
  return parts_[key] = std::make_shared<ArrayState>(cell_by_cell(part, moment));
}

StatePtr Globals::at(int array, int moment) const {
  auto& kept = kept_[size_t(array)];
  const auto next = kept.upper_bound(moment);
  const auto nearest = next == kept.begin() ? kept.end() : std::prev(next);
  if (nearest != kept.end() && nearest->first == moment) return nearest->second;

  // From the latest state that is known, be it kept or what a launch has really left.
  const int launch = launch_before(moment);
  int from = launch > 0 ? before_launch(launch) : 0;
  std::shared_ptr<ArrayState> state;
  if (nearest != kept.end() && nearest->first >= from) {
    state = std::make_shared<ArrayState>(*nearest->second);
    from = nearest->first;
  } else
    state = std::make_shared<ArrayState>(at_start(array, launch, 0, whole(array).size));
  const auto& writes = flow_.global_writes;
  const auto first = std::lower_bound(writes.begin(), writes.end(), from),
             last = std::lower_bound(first, writes.end(), moment);
  // of a state not long before: only what has changed
  const bool much = state->coarse.empty() || size_t(last - first) > state->coarse.size();
  if (much) state->coarse.clear();
  if (size_t(last - first) > 16 * state->bits.size()) {  // few cells: the last write of each
    for (int cell = 0; cell < state->size(); ++cell)
      if (const int node = writer({array, cell}, moment); node >= from)
        apply(*state, flow_, flow_.nodes[size_t(node)]);
  } else {
    for (auto w = first; w != last; ++w)
      if (const Node& n = flow_.nodes[size_t(*w)]; n.place.array == array) apply(*state, flow_, n);
  }
  if (much) make_coarse(*state);
  // Large arrays are kept for the steps on screen only; the rest is computed again when it is asked for.
  constexpr size_t most_cells = size_t(4) << 20;
  if (!kept.empty() && (kept.size() + 1) * state->bits.size() > most_cells) kept.clear();
  return kept[moment] = std::move(state);
}

}  // namespace bscope
