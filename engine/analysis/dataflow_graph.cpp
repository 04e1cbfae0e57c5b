#include "engine/analysis/dataflow_graph.hpp"

#include <algorithm>
#include <tuple>

#include "engine/analysis/arithmetic.hpp"
#include "engine/trace/places.hpp"

namespace bscope {

std::span<const Interval> DataflowGraph::of_block(int launch, int block) const {
  auto before = [](const Interval& v, std::pair<int, int> key) { return std::pair(v.launch, v.block) < key; };
  const auto first = std::lower_bound(intervals.begin(), intervals.end(), std::pair(launch, block), before);
  const auto last = std::lower_bound(first, intervals.end(), std::pair(launch, block + 1), before);
  return {first, last};
}

bool order_matters(const Trace& trace) { return order_matters(trace, replay_trace(trace)); }
bool order_matters(const Trace& trace, const DataflowGraph& flow) {
  return flow.order_matters || !flow.hazards.empty() || !flow.faults.empty() || !trace.findings.empty();
}

int first_cell(const Launch& launch, int array) {
  int first = 0;
  for (int k = 0; k < array - first_shared; ++k) first += launch.shared[k].size;
  return first;
}

std::vector<int32_t> holders(const Trace& trace, const DataflowGraph& flow, const Interval& v) {
  std::vector<int> first;
  int cells = 0;
  for (const ArrayInfo& array : trace.launches[v.launch].shared) {
    first.push_back(cells);
    cells += array.size;
  }
  const auto block = flow.of_block(v.launch, v.block);
  int from = v.index;
  while (from >= 0 && block[size_t(from)].kept_holders.empty()) --from;
  std::vector<int32_t> all =
      from >= 0 ? block[size_t(from)].kept_holders : std::vector<int32_t>(size_t(cells), -1);
  while (++from <= v.index)
    for (int k : block[size_t(from)].nodes) {
      const Node& n = flow.nodes[k];
      if (n.place.shared() && writes(n.op))
        all[size_t(first[n.place.array - first_shared] + n.place.index)] = k;
    }
  return all;
}

int holder(const Trace& trace, const DataflowGraph& flow, const Interval& v, CellRef place) {
  if (place.shared()) {
    const auto all = holders(trace, flow, v);
    const size_t cell = size_t(first_cell(trace.launches[v.launch], place.array)) + size_t(place.index);
    return cell < all.size() ? all[cell] : -1;
  }
  // The last write of the launch up to the end of the interval; else what earlier launches left.
  int end = -1;
  for (const Interval& w : flow.of_block(v.launch, v.block)) {
    if (w.index > v.index) break;
    if (!w.nodes.empty()) end = std::max(end, w.nodes.back());
  }
  const auto all = flow.writes_of.of(place);
  const auto after = std::upper_bound(all.begin(), all.end(), end);
  if (after != all.begin() && flow.nodes[after[-1]].launch == v.launch) return after[-1];
  for (int launch = v.launch; launch-- > 0;) {
    const auto& last = flow.last[launch];
    if (!last[place.array].empty()) return last[place.array][place.index];
  }
  return -1;
}

int final_holder(const DataflowGraph& flow, CellRef place) {
  if (flow.last.empty()) return -1;
  const auto& cells = flow.last.back()[place.array];
  return size_t(place.index) < cells.size() ? cells[place.index] : -1;
}

bool exists(const Trace& trace, const Launch& l, CellRef p) {
  const auto& arrays = p.shared() ? l.shared : trace.arrays;
  const int array = p.shared() ? p.array - first_shared : p.array;
  return array >= 0 && size_t(array) < arrays.size() && p.index >= 0 && p.index < arrays[size_t(array)].size;
}

bool is_tile(const Trace& trace, const Launch& launch, int array) {
  return trace.dialect == Dialect::cuda && array >= first_shared && trace.array(launch, array).rows > 1;
}

std::string cell_name(const Trace& trace, int launch, CellRef place) {
  const Launch& l = trace.launches[size_t(launch)];
  const ArrayInfo& a = trace.array(l, place.array);
  if (!is_tile(trace, l, place.array)) return a.name + "[" + std::to_string(place.index) + "]";
  const int row = a.row_size();
  return a.name + "[" + std::to_string(place.index / row) + "][" + std::to_string(place.index % row) + "]";
}

Message thread_message(const Launch& launch, int thread) {
  const int rank = thread % launch.block, block = thread / launch.block;
  if (launch.grid == 1) return message("thread {}", rank_text(launch, rank));
  return message("thread {} of block {}", rank_text(launch, rank), block_text(launch, block));
}
Message thread_message_at_start(const Launch& launch, int thread) {
  const int rank = thread % launch.block, block = thread / launch.block;
  if (launch.grid == 1) return message("Thread {}", rank_text(launch, rank));
  return message("Thread {} of block {}", rank_text(launch, rank), block_text(launch, block));
}
std::string thread_name(const Launch& launch, int thread) { return thread_message(launch, thread).english(); }

uint64_t initial_bits(const Trace& trace, CellRef place) {
  const ArrayInfo& array = trace.arrays[place.array];
  const size_t width = size_t(bytes_of(array.kind)), from = width * size_t(place.index);
  return from + width <= array.initial.size() ? read_bits(array.initial.data() + from, int(width)) : 0;
}

}  // namespace bscope
