#include "engine/analysis/lost_inputs.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/listed.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// Whether a node uses its value for something else than another value.
bool steers(Op op) {
  return op == Op::branch || op == Op::address || op == Op::escape || op == Op::expect || op == Op::ballot ||
         op == Op::match || op == Op::fault;
}
bool combines(const Node& n) {
  return (n.op == Op::add || n.op == Op::mul || n.op == Op::min || n.op == Op::max || n.op == Op::reduce) &&
         n.a >= 0 && (n.b >= 0 || n.op == Op::reduce);
}

/// One launch: its nodes stand together.
class LaunchSearch {
 public:
  LaunchSearch(const Trace& trace, const DataflowGraph& flow, int launch, int first, int end)
      : trace_(trace), flow_(flow), launch_(launch), first_(first), used_(size_t(end - first)) {}

  std::vector<Finding> find() {
    const size_t results = mark_results();
    for (size_t k = used_.size(); k-- > 0;) {
      const Node& n = node(k);
      if (steers(n.op) || (writes(n.op) && n.bytes != whole_cell)) used_[k] = true;
      if (!used_[k]) continue;
      for (const int from : {n.a, n.b, n.address})
        if (from >= first_) used_[size_t(from - first_)] = true;
    }
    std::map<int, std::vector<CellState>> arrays = cells_read();
    for (const auto& [array, cells] : arrays) {
      std::vector<int> lost;
      size_t read = 0;
      for (size_t k = 0; k < cells.size(); ++k) {
        read += cells[k].read;
        if (cells[k].read && !cells[k].used) lost.push_back(int(k));
      }
      if (lost.empty() || lost.size() == read || 2 * results > read) continue;
      const int last = where_it_ends(cells[size_t(lost[0])].load);
      if (last >= 0) return {finding(array, lost, read, last)};
    }
    return {};
  }

 private:
  struct CellState {
    bool read = false, used = false;
    int load = -1;  ///< the first
  };
  const Node& node(size_t k) const { return flow_.nodes[size_t(first_) + k]; }

  /// Marks the writes that the launch leaves in global memory; returns how many these are.
  size_t mark_results() {
    size_t n = 0;
    for (const auto& cells : flow_.last[size_t(launch_)])
      for (const int holder : cells) {
        const auto k = size_t(holder - first_);
        if (holder < first_ || k >= used_.size()) continue;
        used_[k] = true;
        ++n;
      }
    return n;
  }
  std::map<int, std::vector<CellState>> cells_read() const {
    std::map<int, std::vector<CellState>> arrays;
    for (size_t k = 0; k < used_.size(); ++k) {
      const Node& n = node(k);
      if (!reads(n.op) || writes(n.op) || n.place.shared() || n.a >= first_ || n.place.index < 0) continue;
      if (size_t(n.place.array) >= trace_.arrays.size()) continue;
      auto& cells = arrays[n.place.array];
      if (cells.empty()) cells.resize(size_t(trace_.arrays[size_t(n.place.array)].size));
      if (size_t(n.place.index) >= cells.size()) continue;
      CellState& cell = cells[size_t(n.place.index)];
      cell.read = true;
      cell.used = cell.used || used_[k];
      if (cell.load < 0) cell.load = int(k);
    }
    return arrays;
  }
  /// The last node of the launch that a value goes into; -1: it was combined with no other on the way.
  int where_it_ends(int load) const {
    std::vector<bool> met(used_.size());
    met[size_t(load)] = true;
    int last = load;
    bool combined = false;
    for (size_t k = size_t(load) + 1; k < used_.size(); ++k) {
      const Node& n = node(k);
      const auto holds = [&](int from) { return from >= first_ && met[size_t(from - first_)]; };
      if (!holds(n.a) && !holds(n.b)) continue;
      met[k] = true;
      combined = combined || combines(n);
      if (writes(n.op) || computes(n.op)) last = int(k);
    }
    return combined ? last : -1;
  }

  Finding finding(int array, const std::vector<int>& lost, size_t read, int last) const {
    const Node& n = node(size_t(last));
    const Launch& launch = trace_.launches[size_t(launch_)];
    const std::string& name = trace_.arrays[size_t(array)].name;
    Finding f{.launch = launch_,
              .block = n.thread / launch.block,
              .thread = n.thread % launch.block,
              .line = n.line};
    const Message which =
        lost.size() == 1
            ? message("1 of {} cells of {} that are read is in no result", read, name)
            : message("{} of {} cells of {} that are read are in no result", lost.size(), read, name);
    if (writes(n.op)) {
      f.cells = {n.place};
      f.message = message("{}: nothing reads {} of block {} after line {} has written it.", which,
                          cell_name(trace_, launch_, n.place), f.block, n.line);
    } else {
      f.message = message("{}: nothing uses what thread {} of block {} computes in line {}.", which, f.thread,
                          f.block, n.line);
    }
    f.help = is_in_rounds(n)
                 ? message(
                       "Where a loop halves an odd number of threads, one is left over: round the half up "
                       "and guard the last thread, or let the number of threads be a power of two.")
                 : message("A loop that should read it ends too early: look at its bounds.");
    return f;
  }
  /// Whether its line writes in more than one interval of its block, as the rounds of a tree do.
  bool is_in_rounds(const Node& n) const {
    for (size_t k = 0; k < used_.size(); ++k) {
      const Node& other = node(k);
      if (other.line == n.line && writes(other.op) && other.interval != n.interval &&
          other.thread / trace_.launches[size_t(launch_)].block ==
              n.thread / trace_.launches[size_t(launch_)].block)
        return true;
    }
    return false;
  }

  const Trace& trace_;
  const DataflowGraph& flow_;
  const int launch_, first_;
  std::vector<bool> used_;  ///< by node of the launch: it goes into what the launch leaves behind
};

/// Whether the trace has only the beginning of a launch.
bool is_cut_off(const Trace& trace, size_t launch) {
  return launch + 1 < trace.launches.size() && is_between_launches(trace.launches[launch + 1]) &&
         trace.launches[launch + 1].name == "steps not shown";
}

}  // namespace

std::vector<Finding> lost_inputs(const Trace& trace, const DataflowGraph& flow) {
  std::vector<Finding> all;
  if (!trace.findings.empty() || !flow.faults.empty()) return all;
  const int nodes = int(flow.nodes.size());
  for (int first = 0, end; first < nodes; first = end) {
    const int launch = flow.nodes[size_t(first)].launch;
    for (end = first + 1; end < nodes && flow.nodes[size_t(end)].launch == launch;) ++end;
    if (size_t(launch) >= flow.last.size() || is_between_launches(trace.launches[size_t(launch)]) ||
        is_cut_off(trace, size_t(launch)))
      continue;
    for (Finding& f : LaunchSearch(trace, flow, launch, first, end).find()) all.push_back(std::move(f));
  }
  return all;
}

}  // namespace bscope
