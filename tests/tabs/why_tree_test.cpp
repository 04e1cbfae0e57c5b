// The tree of a value against the trace; what it says on screen.
#include "app/tabs/watch/why_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "app/tabs/watch/watch_state.hpp"
#include "app/tabs/watch/why_panel.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/why.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope {
namespace {

WatchState levels(int n) {
  WatchState s;
  s.why_levels = n;
  return s;
}

// Wholly unfolded, every leaf is an input, a constant or said above; and the cells are those that the
// ancestry names.
TEST(WhyTree, UnfoldsBackToTheInputsOnEveryKernel) {
  for (const Algorithm* a : catalog()) {
    const WatchModel model = model_of(a->name);
    const Trace& trace = model.trace();
    const Flow& flow = model.flow();
    int root = -1;
    for (int cell = 0; cell < trace.arrays[size_t(trace.output)].size; ++cell)
      root = std::max(root, final_holder(flow, {trace.output, cell}));
    if (root < 0) continue;
    const auto rows = why_rows(model.run(), root, levels(1000));
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

TEST(WhyTree, LevelsAndHandsUnfoldIt) {
  const WatchModel model = model_of("scan/blelloch", 8);
  const int root = model.holder(*model.step(at_step(model.run(), {}, 3)), {first_shared, 7});
  ASSERT_GE(root, 0);
  EXPECT_TRUE(why_rows(model.run(), root, levels(0)).empty());
  const auto one = why_rows(model.run(), root, levels(1));
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(one[0].cell, "sum[3]");
  EXPECT_EQ(one[1].cell, "sum[7]");
  EXPECT_TRUE(one[0].opens && !one[0].open);
  const auto two = why_rows(model.run(), root, levels(2));
  EXPECT_EQ(two.size(), 6u);
  WatchState by_hand = levels(1);
  by_hand.why_turned = {one[1].writer};
  const auto hand = why_rows(model.run(), root, by_hand);
  EXPECT_EQ(hand.size(), 4u);
  EXPECT_TRUE(hand[1].open);
  // eight inputs at the end of it
  const auto whole = why_rows(model.run(), root, levels(20));
  EXPECT_EQ(std::count_if(whole.begin(), whole.end(), [](const WhyRow& r) { return r.op == "given"; }), 8);
}

TEST(WhyTree, GoesAcrossLaunchesAndLanes) {
  const WatchModel scan = model_of("scan/hierarchical");
  const Flow& flow = scan.flow();
  const int cells = scan.trace().arrays[size_t(scan.trace().output)].size;
  const auto rows = why_rows(scan.run(), final_holder(flow, {scan.trace().output, cells - 1}), levels(1000));
  std::set<int> launches;
  for (const WhyRow& r : rows)
    if (r.writer >= 0) launches.insert(r.launch);
  EXPECT_GT(launches.size(), 1u);
  const WatchModel shuffles = model_of("reduce/warp-shuffle", 16);
  const auto sum =
      why_rows(shuffles.run(), final_holder(shuffles.flow(), {shuffles.trace().output, 0}), levels(1000));
  EXPECT_GE(std::count_if(sum.begin(), sum.end(), [](const WhyRow& r) { return r.op == "given"; }), 16);
}

TEST(WhyTree, ThePanelIsCleanHoweverFarItIsUnfolded) {
  for (const char* kernel : {"scan/blelloch", "scan/hierarchical", "reduce/warp-shuffle",
                             "histogram/shared-atomics", "scan/look-back", "scan/three-phase"}) {
    const WatchModel model = model_of(kernel);
    for (const Language language : {Language::en, Language::zh}) {
      speak(language);
      for (const ThemeName name : {ThemeName::dark, ThemeName::projector})
        for (const float k : {0.8f, 1.0f, 2.4f})
          for (const int n : {1, 2, 5, 30})
            for (const bool tall : {false, true}) {
              WatchState state = levels(n);
              state.why_tall = tall;
              state.why_row = n;
              state.why_scroll = n * 3;
              const Theme t = theme(name, 900 * k);
              const int last = steps(model.run()) - 1;
              const Picture p = why_panel(model, at_step(model.run(), {}, last), t, fixed_metrics(),
                                          (t.projector() ? 508 : 380) * k,
                                          (tall            ? 712
                                           : t.projector() ? 368
                                                           : 186) *
                                              k,
                                          state);
              EXPECT_EQ(misplaced_text(p), "")
                  << kernel << " " << n << (tall ? " tall " : " ") << name_of(name) << " " << int(language);
              std::set<std::string> names;
              for (const Hit& h : p.hits)
                EXPECT_TRUE(!h.name.starts_with("why:r") || names.insert(h.name).second) << h.name;
            }
    }
    speak(Language::en);
  }
}

}  // namespace
}  // namespace bscope
