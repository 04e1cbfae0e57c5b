// The tree of a value, against the trace.
#include "engine/analysis/why_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/analysis/why.hpp"
#include "tests/analysis/moments_support.hpp"

namespace bscope {
namespace {

// Wholly unfolded, every leaf is an input, a constant or said above; and the cells are those that the
// ancestry names.
TEST(WhyRows, UnfoldsBackToTheInputsOnEveryKernel) {
  for (const Algorithm* a : catalog()) {
    const RunQueries model = model_of(a->name);
    const Trace& trace = model.trace();
    const DataflowGraph& flow = model.flow();
    int root = -1;
    for (int cell = 0; cell < trace.arrays[size_t(trace.output)].size; ++cell)
      root = std::max(root, final_holder(flow, {trace.output, cell}));
    if (root < 0) continue;
    const auto rows = why_rows(model.run(), root, 1000);
    if (int(rows.size()) >= most_why_rows) continue;
    const auto all = ancestry(flow, root);
    std::set<int> stores, in_tree;
    for (int k : all)
      if (writes(flow.nodes[size_t(k)].op) && k != root) stores.insert(k);
    for (const WhyRow& r : rows) {
      if (r.writer >= 0) {
        in_tree.insert(r.writer);
        EXPECT_TRUE(stores.contains(r.writer)) << a->name << ": " << r.cell;
        EXPECT_TRUE(r.opens == r.open) << a->name;
        EXPECT_TRUE(r.open || r.above || r.op == "constant") << a->name << ": " << r.cell << " " << r.op;
        const Node& n = flow.nodes[size_t(r.writer)];
        EXPECT_EQ(r.place, n.place);
        EXPECT_EQ(r.line, n.line);
        EXPECT_EQ(r.interval, n.interval);
        EXPECT_EQ(r.launch, n.launch);
      }
    }
    if (flow.plus != Op::compose) {
      // each write that went into it is in the tree, and unfolded once
      std::multiset<int> unfolded;
      for (const WhyRow& r : rows)
        if (r.open && r.writer >= 0) unfolded.insert(r.writer);
      for (int w : unfolded) EXPECT_EQ(unfolded.count(w), 1u) << a->name;
    }
  }
}

TEST(WhyRows, LevelsAndHandsUnfoldIt) {
  const RunQueries model = model_of("scan/blelloch", 8);
  const int root = model.holder(*model.step(moment_at(model.run(), 3)), {first_shared, 7});
  ASSERT_GE(root, 0);
  EXPECT_TRUE(why_rows(model.run(), root, 0).empty());
  const auto one = why_rows(model.run(), root, 1);
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(one[0].cell, "sum[3]");
  EXPECT_EQ(one[1].cell, "sum[7]");
  EXPECT_TRUE(one[0].opens && !one[0].open);
  const auto two = why_rows(model.run(), root, 2);
  EXPECT_EQ(two.size(), 6u);
  const int turned[] = {one[1].writer};
  const auto hand = why_rows(model.run(), root, 1, turned);
  EXPECT_EQ(hand.size(), 4u);
  EXPECT_TRUE(hand[1].open);
  // eight inputs at the end of it
  const auto whole = why_rows(model.run(), root, 20);
  EXPECT_EQ(std::count_if(whole.begin(), whole.end(), [](const WhyRow& r) { return r.op == "given"; }), 8);
}

TEST(WhyRows, GoesAcrossLaunchesAndLanes) {
  const RunQueries scan = model_of("scan/hierarchical");
  const DataflowGraph& flow = scan.flow();
  const int cells = scan.trace().arrays[size_t(scan.trace().output)].size;
  const auto rows = why_rows(scan.run(), final_holder(flow, {scan.trace().output, cells - 1}), 1000);
  std::set<int> launches;
  for (const WhyRow& r : rows)
    if (r.writer >= 0) launches.insert(r.launch);
  EXPECT_GT(launches.size(), 1u);
  const RunQueries shuffles = model_of("reduce/warp-shuffle", 16);
  const auto sum =
      why_rows(shuffles.run(), final_holder(shuffles.flow(), {shuffles.trace().output, 0}), 1000);
  EXPECT_GE(std::count_if(sum.begin(), sum.end(), [](const WhyRow& r) { return r.op == "given"; }), 16);
}

}  // namespace
}  // namespace bscope
