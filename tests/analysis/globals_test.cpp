// Global arrays after any interval of any block, against a replay by hand, access by access.
#include "engine/analysis/globals.hpp"

#include <gmock/gmock.h>

#include "engine/analysis/arithmetic.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;

Trace traced(const char* kernel, int n, int block, Schedule s = {.kind = Schedule::to_barrier},
             std::vector<std::pair<std::string, std::string>> set = {}) {
  Request r;
  r.n = n;
  r.block = block;
  r.set = std::move(set);
  const Algorithm& a = find(kernel);
  return run(a, make_problem(a, r), Device::cpu, s);
}
std::vector<uint64_t> bits_of_bytes(const ArrayInfo& a, const std::vector<std::byte>& bytes) {
  std::vector<uint64_t> all;
  const int width = bytes_of(a.kind);
  for (int k = 0; k < a.size; ++k) all.push_back(read_bits(bytes.data() + size_t(k) * size_t(width), width));
  return all;
}

/// Memory, driven by nothing but the accesses in the order of the replay.
struct ByHand {
  const Trace& trace;
  const Flow& flow;
  std::vector<std::vector<uint64_t>> bits;
  std::vector<std::vector<int32_t>> holders;
  size_t done = 0;

  ByHand(const Trace& t, const Flow& f) : trace(t), flow(f) {
    for (const ArrayInfo& a : t.arrays) {
      bits.push_back(bits_of_bytes(a, a.initial));
      holders.emplace_back(size_t(a.size), -1);
    }
  }
  /// Everything up to and with this access.
  void go_to(int last) {
    for (; done < flow.sequence.size() && flow.sequence[done] <= last; ++done) {
      const Node& n = flow.nodes[size_t(flow.sequence[done])];
      if (!writes(n.op) || n.place.shared()) continue;
      const ArrayInfo& a = trace.arrays[size_t(n.place.array)];
      uint64_t& cell = bits[size_t(n.place.array)][size_t(n.place.index)];
      cell = is_atomic(n.op) ? after_atomic(n.op, a.kind, cell, flow.nodes[size_t(n.b)].bits) : n.bits;
      cell &= mask_of(a.kind);
      holders[size_t(n.place.array)][size_t(n.place.index)] = flow.sequence[done];
    }
  }
};

struct What {
  const char* kernel;
  int n, block;
  Schedule schedule = {.kind = Schedule::to_barrier};
  std::vector<std::pair<std::string, std::string>> set = {};
};

TEST(Globals, AreWhatTheAccessesBeforeHaveLeft) {
  const Schedule shuffled{.kind = Schedule::shuffled, .seed = 4, .resident_blocks = 3};
  for (const What& w : {What{"scan/kogge-stone", 100, 4},
                        {"scan/blelloch", 70, 4, shuffled},
                        {"scan/kogge-stone", 50, 8, shuffled, {{"type", "double"}}},
                        {"scan/kogge-stone", 50, 8, {.kind = Schedule::lockstep}, {{"operator", "affine"}}},
                        {"reduce/shared", 60, 4, shuffled},
                        {"histogram/global-atomics", 900, 32, shuffled},
                        {"histogram/shared-atomics", 224, 32},
                        {"mistakes/in-place", 40, 8, shuffled}}) {
    SCOPED_TRACE(w.kernel);
    const Trace t = traced(w.kernel, w.n, w.block, w.schedule, w.set);
    const Flow flow = follow(t);
    const WordTable all = words(t, flow);
    const Globals globals(t, flow);
    // In the order of their ends; and once more backwards, as an answer must not depend on the one before.
    std::vector<const Interval*> order;
    for (const Interval& v : flow.intervals) order.push_back(&v);
    std::sort(order.begin(), order.end(),
              [&](auto* a, auto* b) { return globals.after(*a) < globals.after(*b); });
    ByHand hand(t, flow);
    std::vector<std::vector<GlobalState>> seen;
    for (const Interval* v : order) {
      const int moment = globals.after(*v);
      if (!v->nodes.empty()) { ASSERT_EQ(moment, v->nodes.back() + 1); }
      hand.go_to(moment - 1);
      auto& states = seen.emplace_back();
      for (int a = 0; a < int(t.arrays.size()); ++a) {
        states.push_back(globals.at(a, moment));
        ASSERT_EQ(states.back().bits, hand.bits[size_t(a)]);
        ASSERT_EQ(states.back().holders, hand.holders[size_t(a)]);
        const auto held = globals.words_at(all, a, moment);
        for (size_t cell = 0; cell < held.size(); ++cell)
          ASSERT_EQ(held[cell], hand.holders[size_t(a)][cell] >= 0
                                    ? all[size_t(hand.holders[size_t(a)][cell])]
                                    : initial_word(t, {a, int(cell)}));
      }
    }
    for (size_t k = order.size(); k-- > 0;)
      for (int a = 0; a < int(t.arrays.size()); ++a) {
        const int moment = globals.after(*order[k]), size = t.arrays[size_t(a)].size;
        const GlobalState& whole = seen[k][size_t(a)];
        ASSERT_EQ(globals.at(a, moment).bits, whole.bits);
        const int from = size / 3, to = size - size / 4;  // and a part is a part of it
        const GlobalState part = globals.at(a, moment, from, to);
        ASSERT_THAT(part.bits, ElementsAreArray(whole.bits.begin() + from, whole.bits.begin() + to));
        ASSERT_THAT(part.holders, ElementsAreArray(whole.holders.begin() + from, whole.holders.begin() + to));
      }
    // And what really stood in memory when a launch had ended.
    for (int l = 0; l < int(t.launches.size()); ++l)
      for (int a = 0; a < int(t.launches[size_t(l)].after.size()); ++a) {
        const auto real = bits_of_bytes(t.arrays[size_t(a)], t.launches[size_t(l)].after[size_t(a)]);
        ASSERT_EQ(globals.at(a, globals.after_launch(l)).bits, real) << "launch " << l;
        if (l) { ASSERT_EQ(globals.after_launch(l - 1), globals.before_launch(l)); }
      }
  }
}

TEST(Globals, HoldTheWordsOfTheTextbook) {
  const Trace t = traced("scan/kogge-stone", 10, 4);
  const Flow flow = follow(t);
  const Globals globals(t, flow);
  const auto all = words(t, flow);
  auto texts = [&](int array, int moment) {
    std::vector<std::string> s;
    for (const Word& w : globals.words_at(all, array, moment)) s.push_back(w.text());
    return s;
  };
  // Arrays: data, totals, and the totals of those.
  EXPECT_THAT(texts(0, 0), ElementsAre("x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9"));
  EXPECT_THAT(texts(1, 0), Each("identity"));
  EXPECT_THAT(texts(1, globals.after_launch(0)), ElementsAre("x0..x3", "x4..x7", "x8..x9"));
  EXPECT_THAT(texts(1, globals.after_launch(1)), ElementsAre("x0..x3", "x0..x7", "x0..x9"));
  EXPECT_EQ(texts(0, globals.after_launch(1))[5], "x4..x5");
  EXPECT_EQ(texts(0, globals.after_launch(2))[5], "x0..x5");
}

TEST(Arrays, OfTheSameNameAreToldApart) {
  std::vector<std::string> names;
  for (const ArrayInfo& a : traced("scan/kogge-stone", 40, 4).arrays) names.push_back(a.name);
  EXPECT_THAT(names, ElementsAre("data", "totals", "totals 2", "totals 3"));
}

}  // namespace
}  // namespace bscope::test
