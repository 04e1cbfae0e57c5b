#include "engine/analysis/descendants.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/analysis/report.hpp"
#include "engine/analysis/why.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope {
namespace {

Trace traced_run(const std::string& kernel) {
  RunSpec r;
  r.kernel = kernel;
  const Algorithm& a = find(kernel);
  return run(a, make_problem(a, r), Device::cpu, {}, [](const Trace& t) { return order_matters(t); });
}

// The two directions agree, node by node, on every kernel.
TEST(Descendants, AreTheOtherDirectionOfAncestry) {
  for (const Algorithm* a : catalog()) {
    const Trace trace = traced_run(a->name);
    const DataflowGraph flow = replay_trace(trace);
    const int all = int(flow.nodes.size());
    const int every = std::max(1, all / 40);
    for (int node = 0; node < all; node += every) {
      const auto below = descendants(flow, node);
      EXPECT_TRUE(std::is_sorted(below.begin(), below.end()));
      for (int other = node; other < all; other += every) {
        if (!touches(flow.nodes[size_t(other)].op) || !touches(flow.nodes[size_t(node)].op)) continue;
        const auto above = ancestry(flow, other);
        EXPECT_EQ(std::binary_search(below.begin(), below.end(), other),
                  std::binary_search(above.begin(), above.end(), node))
            << a->name << ": " << node << " and " << other;
      }
    }
  }
}

TEST(Descendants, TheFirstInputOfAScanFlowsIntoEveryOutput) {
  const Trace trace = traced_run("scan/kogge-stone");
  const DataflowGraph flow = replay_trace(trace);
  int first = -1;
  for (int k = 0; k < int(flow.nodes.size()) && first < 0; ++k)
    if (flow.nodes[size_t(k)].op == Op::load && flow.nodes[size_t(k)].place == CellRef{trace.input, 0})
      first = k;
  ASSERT_GE(first, 0);
  const auto below = descendants(flow, first);
  for (int cell = 0; cell < trace.arrays[size_t(trace.output)].size; ++cell) {
    const int holds = final_holder(flow, {trace.output, cell});
    EXPECT_TRUE(std::binary_search(below.begin(), below.end(), holds)) << cell;
  }
  EXPECT_TRUE(descendants(flow, -1).empty());
  EXPECT_TRUE(descendants(flow, int(flow.nodes.size())).empty());
}

}  // namespace
}  // namespace bscope
