// Relatives of the selected cell, against the trace.
#include "engine/analysis/relatives.hpp"

#include <gtest/gtest.h>

#include <set>

#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/descendants.hpp"
#include "engine/analysis/why.hpp"
#include "tests/analysis/moments_support.hpp"

namespace bscope {
namespace {

TEST(Relatives, AreTheWritesThatAncestryAndDescendantsName) {
  for (const char* kernel : {"scan/blelloch", "reduce/tree-mask", "scan/kogge-stone", "reduce/shared"}) {
    const RunQueries m = model_of(kernel, 16);
    const DataflowGraph& flow = m.flow();
    for (int step = 0; step < steps(m.run()); ++step)
      for (const auto& [up, down] : {std::pair(true, false), {false, true}, {true, true}}) {
        Moment c = moment_at(m.run(), step);
        const Step& s = *m.step(c);
        const ArrayRange part = s.after(s.to());
        if (part.array < first_shared) continue;
        c.cell = CellRef{part.array, step % part.size};
        const Related of = related(m, c, up, down);
        const int node = holder(m.trace(), flow, *s.interval, *c.cell);
        std::set<int> writers;
        if (node >= 0 && up)
          for (int k : ancestry(flow, node)) writers.insert(k);
        if (node >= 0 && down)
          for (int k : descendants(flow, node)) writers.insert(k);
        const auto before = holds_relative(m, s, part, false, of),
                   after = holds_relative(m, s, part, true, of);
        for (int k = 0; k < part.size; ++k) {
          const CellRef p{part.array, part.first + k};
          EXPECT_EQ(after[size_t(k)], writers.contains(holder(m.trace(), flow, *s.interval, p)))
              << kernel << " step " << step << " after " << k;
          if (s.interval->index == 0) continue;
          const Interval& last =
              flow.of_block(s.interval->launch, s.interval->block)[size_t(s.interval->index) - 1];
          EXPECT_EQ(before[size_t(k)], writers.contains(holder(m.trace(), flow, last, p)))
              << kernel << " step " << step << " before " << k;
        }
      }
  }
}

// The input of a sum over global memory was never written: it is the loads that say what went in.
TEST(Relatives, TellInputsThatNobodyWrote) {
  const RunQueries m = model_of("scan/blelloch", 16);
  Moment c = moment_at(m.run(), 0);
  c.cell = CellRef{first_shared, 5};
  const auto lit = holds_relative(m, *m.step(c), m.block(c).parts.at(0), false, related(m, c, true, false));
  for (int k = 0; k < int(lit.size()); ++k) EXPECT_EQ(lit[size_t(k)], k == 5) << k;
}

}  // namespace
}  // namespace bscope
