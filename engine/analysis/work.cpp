#include "engine/analysis/work.hpp"

#include <algorithm>
#include <array>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

struct Counts {
  std::array<long, op_count> of{};
  void count(const Node& n) {
    if (is_atomic(n.op) || (computes(n.op) && n.op != Op::convert)) ++of[size_t(n.op)];
  }
  Work work(Op plus) const {
    Work w;
    for (int k = 0; k < op_count; ++k)
      if (of[k]) w.by_op[name_of(Op(k))] = of[k];
    w.adds = of[size_t(plus)];
    return w;
  }
};

}  // namespace

Work work(const DataflowGraph& flow) {
  Counts c;
  for (const Node& n : flow.nodes) c.count(n);
  return c.work(flow.plus);
}

Work work(const DataflowGraph& flow, const Interval& v) {
  Counts c;
  for (int k : v.work) c.count(flow.nodes[k]);
  for (int k : v.nodes) c.count(flow.nodes[k]);
  return c.work(flow.plus);
}

int span(const DataflowGraph& flow) {
  std::vector<int32_t> depth(flow.nodes.size());
  int32_t longest = 0;
  for (size_t k = 0; k < depth.size(); ++k) {
    const Node& n = flow.nodes[k];
    int32_t d = 0;
    if (n.a >= 0) d = depth[n.a];
    if (n.b >= 0) d = std::max(d, depth[n.b]);
    if (is_atomic(n.op) || (computes(n.op) && n.op != Op::convert)) ++d;
    depth[k] = d;
    longest = std::max(longest, d);
  }
  return longest;
}

std::vector<int> active_threads(const DataflowGraph& flow, const Interval& v) {
  std::vector<int> threads;
  threads.reserve(v.nodes.size());
  for (int k : v.nodes)
    if (threads.empty() || threads.back() != flow.nodes[k].thread) threads.push_back(flow.nodes[k].thread);
  std::sort(threads.begin(), threads.end());
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  return threads;
}

}  // namespace bscope
