#include "engine/analysis/descendants.hpp"

#include <cstddef>

#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

// A node's sources stand before it, so that one pass forward meets everything.
std::vector<int> descendants(const DataflowGraph& flow, int node) {
  std::vector<int> found;
  const int all = int(flow.nodes.size());
  if (node < 0 || node >= all) return found;
  std::vector<bool> met(size_t(all - node));
  const auto holds = [&](int k) { return k >= node && met[size_t(k - node)]; };
  met[0] = true;
  for (int k = node; k < all; ++k) {
    const Node& n = flow.nodes[size_t(k)];
    if (k > node && !holds(n.a) && !holds(n.b)) continue;
    met[size_t(k - node)] = true;
    if (touches(n.op)) found.push_back(k);
  }
  return found;
}

}  // namespace bscope
