// Hand-overs between threads, against the trace.
#include "engine/analysis/hand_over.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/analysis/moments_support.hpp"

namespace bscope {
namespace {

/// The kernels that hand something over in their default run.
const std::set<std::string> handing_over{"scan/look-back"};
/// Those that release, too, but are stopped before any thread sees it: all blocks wait for one that cannot
/// start.
const std::set<std::string> stopped_before{"mistakes/waits-ahead"};

// In every kernel with flags: each acquire of a release by another thread is found, with accesses that
// happened in this order, by these two threads.
TEST(HandOvers, AreWhatHappenedInEveryKernel) {
  std::set<std::string> kernels, releasing;
  int numbers = 0;
  for (const Algorithm* a : catalog()) {
    const RunQueries model = model_of(a->name);
    const DataflowGraph& flow = model.flow();
    const auto node = [&](int id) -> const Node& { return flow.nodes[size_t(id)]; };
    std::set<CellRef> flags;
    std::map<CellRef, int> seen;
    for (const int id : flow.sequence) {
      const Node& n = node(id);
      if (n.op == Op::release) flags.insert(n.place);
      if ((n.op == Op::acquire || n.op == Op::wait) && n.a >= 0 && node(n.a).op == Op::release &&
          node(n.a).thread != n.thread && node(n.a).launch == n.launch)
        ++seen[n.place];
    }
    if (!seen.empty()) kernels.insert(a->name);
    for (const Source& source : model.trace().sources)
      if (source.text.find("store_release(") != std::string::npos) releasing.insert(a->name);
    if (stopped_before.contains(a->name)) {
      EXPECT_TRUE(seen.empty());
      EXPECT_FALSE(model.trace().findings.empty()) << a->name << " is stopped";
    }
    for (const CellRef flag : flags) {
      const auto all = hand_overs(flow, flag);
      EXPECT_EQ(int(all.size()), seen[flag]) << a->name;
      for (const HandOver& h : all) {
        const Node &release = node(h.release), &acquire = node(h.acquire);
        EXPECT_LT(h.release, h.acquire);
        EXPECT_EQ(release.place, flag);
        EXPECT_EQ(acquire.place, flag);
        EXPECT_EQ(written_bits(flow, release), acquire.bits) << a->name;
        EXPECT_EQ(h.store < 0, h.load < 0);
        if (h.store < 0) continue;
        ++numbers;
        const Node &store = node(h.store), &load = node(h.load);
        EXPECT_LT(h.store, h.release);
        EXPECT_LT(h.acquire, h.load);
        EXPECT_EQ(store.thread, release.thread);
        EXPECT_EQ(load.thread, acquire.thread);
        EXPECT_EQ(store.place, load.place);
        EXPECT_EQ(written_bits(flow, store), load.bits) << a->name;
      }
    }
  }
  EXPECT_EQ(kernels, handing_over);
  // whose source releases, hands over: a kernel that is new here is named above
  std::set<std::string> named = handing_over;
  named.insert(stopped_before.begin(), stopped_before.end());
  EXPECT_EQ(releasing, named);
  EXPECT_GT(numbers, 10);
}

}  // namespace
}  // namespace bscope
