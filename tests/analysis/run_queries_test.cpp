// Steps, the states between them and the selection, against the trace.
#include "engine/analysis/run_queries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/selection.hpp"
#include "engine/analysis/substeps.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/program.hpp"
#include "tests/analysis/moments_support.hpp"

namespace bscope {
namespace {

RunQueries book() {
  RunSpec r;
  r.kernel = "scan/blelloch";
  r.values = {3, 1, 7, 0, 4, 1, 6, 3};
  r.block = 4;
  return RunQueries(traced_run(r));
}
RunQueries preset(const char* kernel, const char* name) {
  RunSpec r;
  r.kernel = kernel;
  r.preset = name;
  return RunQueries(traced_run(r));
}
std::string cells(const ArrayState& s) {
  std::string out;
  for (int k = 0; k < s.size(); ++k) out += (k ? " " : "") + (s.is_known(k) ? s.text(k) : std::string("-"));
  return out;
}

TEST(RunQueries, StatesOfBlellochAreThoseOfTheBook) {
  const RunQueries m = book();
  const char* sums[] = {"3 1 7 0 4 1 6 3",  "3 4 7 7 4 5 6 9",  "3 4 7 11 4 5 6 14", "3 4 7 11 4 5 6 25",
                        "3 4 7 11 4 5 6 0", "3 4 7 0 4 5 6 11", "3 0 7 4 4 11 6 16", "0 3 4 11 11 15 16 22"};
  std::string before = "- - - - - - - -";
  for (int k = 0; k < 8; ++k) {
    const Step& s = *m.step(moment_at(m.run(), k));
    EXPECT_EQ(cells(*m.before(s, first_shared)), before);
    before = cells(*m.after(s, first_shared));
    EXPECT_EQ(before, sums[k]) << "step " << k;
  }
}

// What the outline says of a step is what its moves, made one by one, say.
TEST(RunQueries, OutlinesAgreeWithTheMoves) {
  for (const char* kernel : {"scan/blelloch", "scan/kogge-stone", "reduce/shared", "histogram/global-atomics",
                             "histogram/shared-atomics"}) {
    RunSpec r;
    r.kernel = kernel;
    r.n = 200;
    r.block = 32;
    const RunQueries m(traced_run(r));
    for (int k = 0; k < steps(m.run()); ++k) {
      const Step& s = *m.step(moment_at(m.run(), k));
      std::set<int> distances;
      std::map<CellRef, int> times;
      for (const Move& move : s.moves()) {
        const CellRef to = move.arrow.to;
        if (!move.held) ++times[to];
        for (const CellRef from : move.arrow.from)
          if (to.array >= 0 && from.array == to.array && from != to)
            distances.insert(std::abs(to.index - from.index));
      }
      EXPECT_EQ(s.stride(), distances.size() == 1 ? *distances.begin() : 0) << kernel << " step " << k;
      ASSERT_EQ(s.written().size(), times.size()) << kernel << " step " << k;
      for (const auto& [place, n] : times) {
        ASSERT_NE(s.writes_of(place), nullptr);
        EXPECT_EQ(s.writes_of(place)->times, n);
      }
      EXPECT_EQ(s.wrote.empty(), times.empty());
      EXPECT_EQ(s.wrote.size() + s.held().size(), s.moves().size());
    }
  }
}

/// Compare-exchanges of two pairs in each four cells: neighbours, or mirrored in their middle.
struct Exchange4 {
  bool mirrored = false;
  template <class T>
  __device__ void operator()(auto& t, Array<T> a) const {
    const int i = t.rank(), four = i / 2 * 4;
    const int left = mirrored ? four + i % 2 : four + i % 2 * 2;
    const int right = mirrored ? four + 3 - i % 2 : left + 1;
    const T x = a[left], y = a[right];
    if (x > y) {
      a[left] = y;
      a[right] = x;
    }
  }
};

// Which pairs are exchanged is up to the data: a stride is that of all pairs that were compared.
TEST(RunQueries, AStrideIsThatOfAllComparedPairs) {
  for (const bool mirrored : {false, true}) {
    Gpu gpu({.kind = Schedule::to_barrier});
    // only neighbours stand in the wrong order: 5 2 and 6 3 in the mirrored case, 5 1 and 6 2 else
    auto a =
        gpu.array("a", mirrored ? std::vector{1, 5, 2, 9, 1, 6, 3, 8} : std::vector{5, 1, 2, 9, 6, 2, 3, 8});
    gpu.launch("exchange", {1, 4}, Exchange4{mirrored}, a);
    auto run = std::make_shared<bscope::Run>();
    run->trace = std::move(gpu.trace);
    run->trace.parameters = {{"block", "4"}, {"n", "8"}};
    run->report = analyse(run->trace);
    const RunQueries m(run);
    const Step& s = m.block(0, 0).steps.at(0);
    EXPECT_EQ(s.wrote.size(), 4u);
    EXPECT_EQ(s.stride(), mirrored ? 0 : 1);
  }
}

// What another block has handed over comes from as far as that block was: that is no stride of the step.
TEST(RunQueries, WhatAnotherBlockHandsOverHasNoStride) {
  RunSpec r;
  r.kernel = "scan/look-back";
  r.n = 96;
  r.block = 4;
  int from_others = 0;
  for (const uint32_t seed : {1u, 2u, 3u, 7u}) {
    const Algorithm& algorithm = find(r.kernel);
    auto run = std::make_shared<bscope::Run>();
    run->trace = bscope::run(algorithm, make_problem(algorithm, r), Device::cpu,
                             {.kind = Schedule::shuffled, .seed = seed});
    run->report = analyse(run->trace);
    const RunQueries m(run);
    const DataflowGraph& flow = m.run().report.flow;
    for (int block = 0; block < m.run().trace.launches[0].grid; ++block)
      for (const Step& s : m.block(0, block).steps) {
        if (s.interval->phase != "look back") continue;
        EXPECT_EQ(s.stride(), 0) << "seed " << seed << " block " << block;
        for (const int load : s.loads) {
          const int writer = flow.nodes[size_t(load)].a;
          from_others += writer >= 0 && flow.nodes[size_t(writer)].thread / 4 != block;
        }
      }
  }
  EXPECT_GT(from_others, 0);
}

TEST(RunQueries, GlobalStatesStepByStepChangeOnlyWhatWasWritten) {
  const RunQueries m = preset("histogram/global-atomics", "queue-7x20");
  ASSERT_EQ(steps(m.run()), 7);
  double total = 0;
  for (int k = 0; k < 7; ++k) {
    const Step& s = *m.step(moment_at(m.run(), k));
    const int bins = m.block(moment_at(m.run(), k)).main;
    const StatePtr before = m.before(s, bins), after = m.after(s, bins);
    for (int b = 0; b < after->size(); ++b) {
      const auto* w = s.writes_of({bins, b});
      EXPECT_EQ(after->value(b) - before->value(b), w ? w->times : 0) << "block " << k << " bin " << b;
      total += after->value(b) - before->value(b);
    }
  }
  EXPECT_EQ(total, 224);
}

TEST(SubStepMoments, EndWhereTheIntervalEnds) {
  for (const char* kernel :
       {"scan/blelloch", "scan/kogge-stone", "histogram/shared-atomics", "histogram/global-atomics",
        "scan/look-back", "reduce/warp-shuffle", "scan/hillis-steele"}) {
    const RunQueries m = model_of(kernel);
    for (const Step& s : m.block(0, 0).steps) {
      const auto& all = m.substeps(s);
      if (all.empty()) continue;
      Moment c = moment_at(m.run(), s.flow_index);
      c.substep = int(all.size()) - 1;
      const WarpInstruction& last = *m.instruction(c);
      if (!last.request) continue;
      const ArrayRange part = m.block(0, 0).parts.at(last.request->array);
      // built up request by request, it must be what the snapshot holds
      const StatePtr before = m.before(last, part), truth = m.after(s, part);
      ArrayState state = *before;
      for (int id : last.nodes)
        if (const Node& n = m.flow().nodes[size_t(id)]; writes(n.op)) {
          uint64_t& cell = state.bits[size_t(n.place.index - state.first)];
          cell = written_bits(m.flow(), n, cell);
          state.known[size_t(n.place.index - state.first)] = 1;
        }
      // (another block may have written global cells meanwhile)
      if (part.array >= first_shared || m.trace().launches[0].grid == 1)
        for (int k = part.first; k < part.first + part.size; ++k) {
          if (!truth->is_known(k)) continue;
          EXPECT_EQ(state.bits_of(k), truth->bits_of(k)) << kernel << " cell " << k;
        }
    }
  }
}

TEST(RunQueries, LoadsOfKoggeStoneWaitInRegisters) {
  RunSpec r;
  r.kernel = "scan/kogge-stone";
  r.values = {3, 1, 7, 0, 4, 1, 6, 3};
  const RunQueries m(traced_run(r));
  const Step& reads = *m.step(moment_at(m.run(), 1));
  EXPECT_TRUE(reads.written().empty());
  ASSERT_EQ(reads.moves().size(), 7u);
  for (const Move& move : reads.moves()) {
    EXPECT_TRUE(move.held);
    EXPECT_EQ(move.arrow.to.index, move.arrow.from[0].index + 1);  // where the value will be stored
  }
  EXPECT_EQ(reads.stride(), 1);
}

TEST(RunQueries, OfUpdatesInAStepTheLastIsNotLostInIt) {
  const RunQueries m = preset("histogram/racy", "queue-7x20");
  const Trace& trace = m.run().trace;
  int lost = 0;
  for (int block = 0; block < trace.launches[0].grid; ++block)
    for (const Step& step : m.block(0, block).steps)
      for (int cell = 0; cell < trace.arrays[size_t(trace.output)].size; ++cell) {
        const CellRef bin{trace.output, cell};
        const Step::Written* w = step.writes_of(bin);
        EXPECT_LE(m.lost(step, bin), w ? w->times - 1 : 0) << "block " << block << ", bin " << cell;
        lost += m.lost(step, bin);
      }
  EXPECT_GT(lost, 0);
}

TEST(RunQueries, ABlockHasItsOwnPartOfTheInput) {
  const RunQueries m = model_of("scan/blelloch", 24, 4);
  const ArrayRange data = m.block(0, 2).parts.at(m.trace().input);
  EXPECT_EQ(data.first, 16);
  EXPECT_EQ(data.size, 8);
}

// What the states before and after say of a step is what the step says that it wrote.
TEST(RunQueries, StatesDifferOnlyInTheCellsThatAreWritten) {
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    for (int k = 0; k < std::min(steps(m.run()), 24); ++k) {
      const Step& s = *m.step(moment_at(m.run(), k));
      for (const auto& [array, part] : m.block(s.interval->launch, s.interval->block).parts) {
        if (array < first_shared) continue;  // others may write there meanwhile
        const StatePtr before = m.before(s, part), after = m.after(s, part);
        for (int cell = part.first; cell < part.first + part.size; ++cell)
          if (!s.writes_of({array, cell})) {
            ASSERT_EQ(before->is_known(cell), after->is_known(cell)) << a->name << " step " << k;
            ASSERT_EQ(before->bits_of(cell), after->bits_of(cell)) << a->name << " step " << k;
          }
      }
    }
  }
}

// Whatever a moment leaves open: thread, cell and node belong together, and what was asked for is kept.
TEST(Selection, IsOfOneThreadAndOneCell) {
  std::mt19937 random(20261122);
  const auto below = [&](int n) { return int(random() % unsigned(std::max(1, n))); };
  int here = 0;
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    if (steps(m.run()) == 0) continue;
    for (int k = 0; k < 20; ++k) {
      Moment c = moment_at(m.run(), below(steps(m.run())));
      const int threads = m.trace().launches[size_t(c.launch)].block;
      if (below(2)) c.thread = below(threads);
      const auto& parts = m.block(c).parts;
      if (!parts.empty()) {
        const ArrayRange part = std::next(parts.begin(), below(int(parts.size())))->second;
        if (!below(3)) c.cell = CellRef{part.array, part.first + below(part.size)};
        if (!below(4)) c.array = part.array;
      }
      if (!below(4)) c.substep = below(6);
      const Selection s = m.selection(c);
      SCOPED_TRACE(a->name + " step " + std::to_string(step_of(m.run(), c)));
      if (c.cell) { ASSERT_EQ(s.cell, c.cell); }
      if (c.thread >= 0 && !c.cell) { ASSERT_EQ(s.thread, c.thread); }
      if (s.node < 0) continue;
      const Node& n = m.flow().nodes[size_t(s.node)];
      ASSERT_EQ(n.place, s.cell);
      if (!s.here) continue;
      ++here;
      ASSERT_EQ(n.thread, c.block * threads + s.thread);
      ASSERT_EQ(n.interval, c.interval);
      ASSERT_TRUE(m.step(c)->works[size_t(s.thread)]);
      if (const WarpInstruction* sub = m.instruction(c)) {
        ASSERT_TRUE(std::ranges::count(sub->nodes, s.node));
      }
    }
  }
  EXPECT_GT(here, 200);
}

TEST(RunQueries, OfACellThatIsNotThereSelectNone) {
  const RunQueries m = book();
  for (const CellRef p :
       {CellRef{first_shared, 8}, CellRef{first_shared + 1, 0}, CellRef{-1, 0}, CellRef{99, 0}}) {
    Moment c = moment_at(m.run(), 2), none = c;
    c.cell = p;
    EXPECT_EQ(m.selected(c), m.selected(none));
    EXPECT_EQ(m.name(0, p), "?");
  }
  EXPECT_EQ(m.name(0, {first_shared, 7}), "sum[7]");
}

}  // namespace
}  // namespace bscope
