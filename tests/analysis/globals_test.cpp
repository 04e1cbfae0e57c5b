// Global arrays after any interval of any block, against a replay by hand, access by access.
#include "engine/analysis/globals.hpp"

#include <gmock/gmock.h>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;

Trace trace_of(const char* kernel, int n, int block, Schedule s = {.kind = Schedule::to_barrier},
               std::vector<std::pair<std::string, std::string>> set = {}) {
  RunSpec r;
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
  const DataflowGraph& flow;
  std::vector<std::vector<uint64_t>> bits;
  std::vector<std::vector<int32_t>> holders;
  size_t done = 0;

  ByHand(const Trace& t, const DataflowGraph& f) : trace(t), flow(f) {
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

struct KernelInput {
  const char* kernel;
  int n, block;
  Schedule schedule = {.kind = Schedule::to_barrier};
  std::vector<std::pair<std::string, std::string>> set = {};
};

TEST(Globals, AreWhatTheAccessesBeforeHaveLeft) {
  const Schedule shuffled{.kind = Schedule::shuffled, .seed = 4, .resident_blocks = 3};
  for (const KernelInput& w :
       {KernelInput{"scan/kogge-stone", 100, 4},
        {"scan/blelloch", 70, 4, shuffled},
        {"scan/kogge-stone", 50, 8, shuffled, {{"type", "double"}}},
        {"scan/kogge-stone", 50, 8, {.kind = Schedule::lockstep}, {{"operator", "affine"}}},
        {"reduce/shared", 60, 4, shuffled},
        {"histogram/global-atomics", 900, 32, shuffled},
        {"histogram/shared-atomics", 224, 32},
        {"histogram/racy", 60, 8},
        {"mistakes/in-place", 40, 8, shuffled}}) {
    SCOPED_TRACE(w.kernel);
    const Trace t = trace_of(w.kernel, w.n, w.block, w.schedule, w.set);
    const DataflowGraph flow = replay_trace(t);
    const WordTable all = words(t, flow);
    const Globals globals(t, flow);
    // In the order of their ends; and once more backwards, as an answer must not depend on the one before.
    std::vector<const Interval*> order;
    for (const Interval& v : flow.intervals) order.push_back(&v);
    std::sort(order.begin(), order.end(),
              [&](auto* a, auto* b) { return globals.after(*a) < globals.after(*b); });
    ByHand hand(t, flow);
    struct State {
      std::vector<uint64_t> bits;
      std::vector<int> writers;
    };
    std::vector<std::vector<State>> seen;
    for (const Interval* v : order) {
      const int moment = globals.after(*v);
      if (!v->nodes.empty()) { ASSERT_EQ(moment, v->nodes.back() + 1); }
      hand.go_to(moment - 1);
      auto& states = seen.emplace_back();
      for (int a = 0; a < int(t.arrays.size()); ++a) {
        const ArrayRange whole = globals.whole(a);
        states.push_back({globals.at(a, moment)->bits, globals.writers(whole, moment)});
        ASSERT_EQ(states.back().bits, hand.bits[size_t(a)]);
        ASSERT_EQ(states.back().writers, hand.holders[size_t(a)]);
        const auto held = globals.words_at(all, whole, moment);
        for (size_t cell = 0; cell < held.size(); ++cell)
          ASSERT_EQ(held[cell], hand.holders[size_t(a)][cell] >= 0
                                    ? all[size_t(hand.holders[size_t(a)][cell])]
                                    : initial_word(t, {a, int(cell)}));
      }
    }
    for (size_t k = order.size(); k-- > 0;)
      for (int a = 0; a < int(t.arrays.size()); ++a) {
        const int moment = globals.after(*order[k]), size = t.arrays[size_t(a)].size;
        const State& whole = seen[k][size_t(a)];
        ASSERT_EQ(globals.at(a, moment)->bits, whole.bits);
        for (const ArrayRange part :
             {ArrayRange{a, size / 3, size - size / 4 - size / 3}, ArrayRange{a, size / 2, size / 8}}) {
          const StatePtr of = globals.at(part, moment);  // and a part is a part of it
          ASSERT_LE(of->first, part.first);
          ASSERT_GE(of->size(), part.first + part.size);
          const int to = part.first + part.size;
          for (int cell = of->first; cell < of->size(); ++cell)
            ASSERT_EQ(of->bits_of(cell), whole.bits[size_t(cell)]);
          ASSERT_THAT(globals.writers(part, moment),
                      ElementsAreArray(whole.writers.begin() + part.first, whole.writers.begin() + to));
        }
      }
    // And what really stood in memory when a launch had ended.
    for (int l = 0; l < int(t.launches.size()); ++l)
      for (int a = 0; a < int(t.launches[size_t(l)].after.size()); ++a) {
        const auto real = bits_of_bytes(t.arrays[size_t(a)], t.launches[size_t(l)].after[size_t(a)]);
        ASSERT_EQ(globals.at(a, globals.after_launch(l))->bits, real) << "launch " << l;
        if (l) { ASSERT_EQ(globals.after_launch(l - 1), globals.before_launch(l)); }
      }
  }
}

TEST(Globals, PartsAreThoseOfTheWholeArrays) {
  for (const char* kernel : {"scan/kogge-stone", "histogram/global-atomics", "histogram/racy"}) {
    const Trace t = trace_of(kernel, 5000, 64);  // large enough for ArrayState::coarse
    const DataflowGraph flow = replay_trace(t);
    const Globals globals(t, flow);
    const int end = int(flow.nodes.size());
    for (int a = 0; a < int(t.arrays.size()); ++a)
      for (const int moment : {0, 1, end / 3, end / 2, end - 1, end})
        for (const auto& [first, count] : {std::pair(0, 1), std::pair(5, 3), std::pair(64, 64),
                                           std::pair(1001, 2500), std::pair(4997, 10), std::pair(0, 5000)}) {
          const StatePtr whole = globals.at(a, moment);
          if (first >= whole->size()) continue;
          const StatePtr of = globals.at(ArrayRange{a, first, count}, moment);
          const ArrayState& part = *of;
          ASSERT_LE(part.first, first);
          ASSERT_GE(part.size(), std::min(first + count, whole->size()));
          for (int k = part.first; k < part.size(); ++k) {
            ASSERT_EQ(part.is_known(k), whole->is_known(k))
                << kernel << " " << a << "[" << k << "] at " << moment;
            ASSERT_EQ(part.bits_of(k), whole->bits_of(k))
                << kernel << " " << a << "[" << k << "] at " << moment;
          }
          for (const int columns : {1, 7, 100})
            EXPECT_EQ(largest_in_parts(part, first, count, columns),
                      largest_in_parts(*whole, first, count, columns));
        }
  }
}

TEST(ArrayState, PartsOfAStripKeepTheLargestValue) {
  ArrayState s;
  s.bits.resize(100000);
  s.known.assign(100000, 1);
  s.bits[70001] = 18;
  s.known[3] = 0;
  for (const bool coarse : {false, true}) {
    if (coarse) make_coarse(s);
    EXPECT_EQ(s.coarse.empty(), !coarse);
    const std::vector<float> parts = largest_in_parts(s, 0, 100000, 1000);
    EXPECT_EQ(parts[700], 18);
    EXPECT_EQ(std::count(parts.begin(), parts.end(), 0.0f), 999);
    EXPECT_EQ(largest_in_parts(s, 70000, 10, 10)[1], 18);
  }
}

// Of every kind of value that kernels work on, sums with their counts among them.
TEST(ArrayState, AReadSeesWhatTheWriteBeforeItHasLeft) {
  size_t atomics = 0;
  for (const Algorithm* a : catalog()) {
    const Trace t = run(*a, make_problem(*a, {.kernel = a->name}), Device::cpu, {});
    const DataflowGraph flow = replay_trace(t);
    for (const Node& n : flow.nodes) {
      if (!touches(n.op) || !reads(n.op) || n.a < 0) continue;
      const Node& writer = flow.nodes[size_t(n.a)];
      atomics += is_atomic(writer.op);
      ASSERT_EQ(written_bits(flow, writer), n.bits & mask_of(ElementType(n.kind)))
          << a->name << " " << cell_name(t, n.launch, n.place) << " in line " << n.line;
    }
  }
  EXPECT_GT(atomics, 1000u);
}

TEST(Globals, HoldTheWordsOfTheTextbook) {
  const Trace t = trace_of("scan/kogge-stone", 10, 4);
  const DataflowGraph flow = replay_trace(t);
  const Globals globals(t, flow);
  const auto all = words(t, flow);
  auto texts = [&](int array, int moment) {
    std::vector<std::string> s;
    for (const Word& w : globals.words_at(all, globals.whole(array), moment)) s.push_back(w.text());
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
  for (const ArrayInfo& a : trace_of("scan/kogge-stone", 40, 4).arrays) names.push_back(a.name);
  EXPECT_THAT(names, ElementsAre("data", "totals", "totals 2", "totals 3"));
}

}  // namespace
}  // namespace bscope::test
