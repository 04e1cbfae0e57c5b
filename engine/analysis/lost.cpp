#include "engine/analysis/lost.hpp"

#include <algorithm>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/sources.hpp"
#include "engine/trace/parallel.hpp"

namespace bscope {
namespace {

/// A write of a cell, in the order of the replay.
struct Write {
  int node;
  int load = -1;    ///< an update: the read that its value was computed from; atomics: itself
  int parent = -1;  ///< an update: number of the write that it read, -1: what was there before
};

/// The read of the same cell, by the same thread, that a stored value was computed from.
int read_of_same_thread(const DataflowGraph& flow, int store) {
  const Node& n = flow.nodes[store];
  int found = -1;
  for (int k : sources(flow, {n.a}, n.thread).loads) {
    const Node& read = flow.nodes[k];
    if (read.place == n.place && (read.bytes & n.bytes) && read.thread == n.thread && read.launch == n.launch)
      found = std::max(found, k);
  }
  return found;
}

/// Writes of one cell, apart where they have no byte in common.
std::vector<std::vector<Write>> by_bytes(const DataflowGraph& flow, std::vector<Write> all) {
  std::vector<uint8_t> parts;
  for (const Write& w : all) {
    uint8_t bytes = flow.nodes[w.node].bytes;
    std::erase_if(parts, [&](uint8_t p) {
      const bool joined = p & bytes;
      if (joined) bytes |= p;
      return joined;
    });
    parts.push_back(bytes);
  }
  std::vector<std::vector<Write>> apart(parts.size());
  if (parts.size() == 1) {
    apart[0] = std::move(all);
    return apart;
  }
  for (const Write& w : all)
    for (size_t k = 0; k < parts.size(); ++k)
      if (parts[k] & flow.nodes[w.node].bytes) apart[k].push_back(w);
  return apart;
}

/// The history of a cell, or of a part of its bytes. Its writes stand in `all`.
class History {
 public:
  History(const Trace& trace, const DataflowGraph& flow, std::vector<Write> all)
      : trace_(trace), flow_(flow), all_(std::move(all)) {}

  void add_to(Lost& lost) {
    for (size_t k = 0; k < all_.size(); ++k)
      if (all_[k].load >= 0) all_[k].parent = number_of(flow_.nodes[all_[k].load].a, k);
    // A plain store starts anew: what it replaces is not lost but done with.
    Lost::LostCell cell{flow_.nodes[all_[0].node].place, 0, 0};
    for (size_t first = 0, end; first < all_.size(); first = end) {
      for (end = first + 1; end < all_.size() && all_[end].load >= 0;) ++end;
      part(first, end, cell, lost);
    }
    if (!cell.performed) return;
    lost.performed += cell.performed;
    lost.present += cell.present;
    lost.cells.push_back(cell);
  }

 private:
  const Trace& trace_;
  const DataflowGraph& flow_;
  std::vector<Write> all_;

  int number_of(int node, size_t before) const {
    if (before && all_[before - 1].node == node) return int(before) - 1;  // as it should be
    const auto end = all_.begin() + long(before);
    const auto it =
        std::lower_bound(all_.begin(), end, node, [](const Write& w, int id) { return w.node < id; });
    return it != end && it->node == node ? int(it - all_.begin()) : -1;
  }
  void part(size_t first, size_t end, Lost::LostCell& cell, Lost& lost) {
    std::vector<bool> present(end - first);
    int last = int(end) - 1;
    if (end == all_.size()) {  // where an order had to be found, the write that is there at the end came last
      const int held = number_of(final_holder(flow_, cell.place), end);
      if (held >= int(first)) last = held;
    }
    for (int k = last; k >= int(first); k = all_[k].load >= 0 ? all_[k].parent : -1)
      present[size_t(k) - first] = true;
    // The first write that has not seen an update, counted from there on, is the one that overtook it.
    std::vector<int> overtaken_by(end - first, -1);
    std::vector<size_t> open;
    for (size_t k = first; k < end; ++k) {
      for (; !open.empty() && all_[k].load >= 0 && int(open.back()) > all_[k].parent; open.pop_back())
        overtaken_by[open.back() - first] = int(k);
      open.push_back(k);
    }
    for (size_t k = first; k < end; ++k) {
      if (all_[k].load < 0) continue;
      ++cell.performed;
      if (present[k - first]) {
        ++cell.present;
        continue;
      }
      ++lost.lost;
      const int by = overtaken_by[k - first] >= 0 ? overtaken_by[k - first] : last;
      lost.updates.push_back(
          {cell.place, all_[k].load, all_[k].node, all_[by].node, distance(all_[k].node, all_[by].node)});
    }
  }
  decltype(LostUpdate::where) distance(int a, int b) const {
    const Node &x = flow_.nodes[a], &y = flow_.nodes[b];
    const int size = trace_.launches[x.launch].block;
    if (x.launch != y.launch || x.thread / size != y.thread / size) return LostUpdate::between_blocks;
    return x.thread % size / warp_size == y.thread % size / warp_size ? LostUpdate::in_warp
                                                                      : LostUpdate::in_block;
  }
};

}  // namespace

Lost lost_updates(const Trace& trace, const DataflowGraph& flow) {
  Lost lost;
  if (size_t(trace.output) >= trace.arrays.size()) return lost;
  const auto cells = size_t(trace.arrays[trace.output].size);
  const size_t tasks = flow.global_writes.size() < 10'000 ? 1 : std::min(cells, 16 * workers());
  std::vector<Lost> parts(tasks);
  parallel(tasks, [&](size_t task) {
    for (size_t cell = cells * task / tasks; cell < cells * (task + 1) / tasks; ++cell) {
      std::vector<Write> all;
      for (int k : flow.writes_of.of({trace.output, int(cell)})) {
        const Op op = flow.nodes[k].op;
        all.push_back({k, op == Op::atomic_exch ? -1 : is_atomic(op) ? k : read_of_same_thread(flow, k), -1});
      }
      for (std::vector<Write>& some : by_bytes(flow, std::move(all)))
        History(trace, flow, std::move(some)).add_to(parts[task]);
    }
  });
  for (const Lost& part : parts) {
    lost.performed += part.performed;
    lost.present += part.present;
    lost.lost += part.lost;
    lost.updates.insert(lost.updates.end(), part.updates.begin(), part.updates.end());
    lost.cells.insert(lost.cells.end(), part.cells.begin(), part.cells.end());
  }
  return lost;
}

}  // namespace bscope
