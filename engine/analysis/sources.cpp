#include "engine/analysis/sources.hpp"

#include <algorithm>
#include <vector>

#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {
namespace {

constexpr size_t most_visits = 4096;

/// The nodes visited so far: a list while it is short, then a table with room for all that are ever visited.
/// (A set would allocate for each: outlining a block whose values are put together in registers took 0.3 s.)
class VisitedNodes {
 public:
  bool first_time(int k) {
    if (table_.empty()) {
      if (std::find(few_, few_ + count_, k) != few_ + count_) return false;
      if (count_ < limit) {
        few_[count_++] = k;
        return true;
      }
      table_.assign(places, -1);
      for (int visited : few_) insert(visited);
    }
    return insert(k);
  }

 private:
  static constexpr int limit = 32;
  static constexpr size_t places = 2 * most_visits;  // half of them stay free
  bool insert(int k) {
    size_t at = uint32_t(k) * 2654435761u % places;
    for (; table_[at] >= 0; at = (at + 1) % places)
      if (table_[at] == k) return false;
    table_[at] = k;
    return true;
  }
  int few_[limit], count_ = 0;
  std::vector<int> table_;
};

}  // namespace

Sources sources(const DataflowGraph& flow, std::initializer_list<int> from, int thread) {
  Sources out;
  std::vector<int> open;
  find_sources(flow, from, thread, out, open);
  return out;
}

void find_sources(const DataflowGraph& flow, std::initializer_list<int> from, int thread, Sources& out,
                  std::vector<int>& open) {
  out.loads.clear();
  out.lanes.clear();
  out.ops = 0;
  VisitedNodes visited;
  open.assign(from.begin(), from.end());
  std::reverse(open.begin(), open.end());
  for (size_t visits = 0; !open.empty() && visits < most_visits; ++visits) {
    const int k = open.back();
    open.pop_back();
    if (k < 0 || !visited.first_time(k)) continue;
    const Node& n = flow.nodes[k];
    if (touches(n.op)) {
      if (reads(n.op)) out.loads.push_back(k);
      if (n.thread != thread) out.lanes.push_back(n.thread);
      continue;
    }
    if (n.op == Op::shuffle && n.thread == thread && n.place.index != thread)
      out.lanes.push_back(n.place.index);
    if (computes(n.op) && n.op != Op::convert) {
      out.ops |= uint64_t(1) << int(n.op);
      open.push_back(n.b);
    }
    open.push_back(n.a);
  }
  std::sort(out.lanes.begin(), out.lanes.end());
  out.lanes.erase(std::unique(out.lanes.begin(), out.lanes.end()), out.lanes.end());
}

}  // namespace bscope
