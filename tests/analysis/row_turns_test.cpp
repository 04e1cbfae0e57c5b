// Rows of a shared array: declared where buffers take turns, as opposed to arrays whose rows work at once.
#include "engine/analysis/row_turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/catalog/run_spec.hpp"
#include "engine/simt/program.hpp"
#include "tests/tabs/watch_support.hpp"

namespace bscope::test {
namespace {

RowTurns turns_of(const RunQueries& m, int array, int block = 0) {
  return row_turns(m.trace(), m.flow(), 0, block, first_shared + array);
}

// Written from the algorithm: the load fills row 0, each level reads the row that was written last and writes
// the other, the store reads what was written last.
TEST(RowTurns, OfHillisAndSteeleSwapAtEachLevel) {
  for (const char* kind : {"inclusive", "exclusive"})
    for (const int block : {1, 2, 3, 8, 33, 64}) {
      const RunQueries m(traced_run(
          {.kernel = "scan/hillis-steele", .n = 2 * block + 1, .block = block, .set = {{"scan", kind}}}));
      int levels = 0;
      while (1 << levels < block) ++levels;
      for (int b = 0; b < 3; ++b) {
        const RowTurns t = turns_of(m, 0, b);
        ASSERT_EQ(t.row, block) << kind;
        ASSERT_GE(int(t.steps.size()), levels + 1);
        EXPECT_EQ(t.steps[0], (RowTurns::StepRows{0, 0}));
        for (int k = 1; k <= levels; ++k)
          EXPECT_EQ(t.steps[size_t(k)], (RowTurns::StepRows{(k - 1) % 2, k % 2})) << kind << " level " << k;
        for (size_t k = size_t(levels) + 1; k < t.steps.size(); ++k)
          EXPECT_EQ(t.steps[k], (RowTurns::StepRows{levels % 2, levels % 2})) << kind;
      }
    }
}

struct Reversed {
  template <class T>
  __device__ void operator()(auto& t, Array<T> data, bool both) const {
    const int i = t.rank(), n = t.block_size();
    auto s = shared<T>(t, "s", {.rows = 2, .columns = n});
    s[i] = data[i];
    if (both) s[n + i] = data[i];
    t.sync();
    data[i] = s[n - 1 - i];
  }
};
TEST(RowTurns, AreNoneWhereAStepWorksOnSeveralRows) {
  for (const bool both : {false, true}) {
    Gpu gpu(Schedule{});
    auto data = gpu.array("data", std::vector<int>(8, 1));
    gpu.launch("reversed", {1, 8}, Reversed{}, data, both);
    const DataflowGraph flow = replay_trace(gpu.trace);
    const RowTurns t = row_turns(gpu.trace, flow, 0, 0, first_shared);
    EXPECT_EQ(t.row, both ? 0 : 8);
    EXPECT_EQ(row_turns(gpu.trace, flow, 0, 0, 0).row, 0);
  }
}

// Halves of a shared array of which a step reads the one and writes the other, and the next the other way
// round, are two buffers: the kernel says so, and pictures show them so.
TEST(RowTurns, AreDeclaredByEveryKernelWithTwoBuffers) {
  std::vector<std::string> swapping;
  for (const Algorithm* a : catalog()) {
    const RunQueries m = model_of(a->name);
    Trace halves = m.trace();
    for (size_t l = 0; l < halves.launches.size(); ++l)
      for (size_t k = 0; k < halves.launches[l].shared.size(); ++k) {
        ArrayInfo& info = halves.launches[l].shared[k];
        const int declared = info.rows;
        if (info.size % 2 || declared > 2) continue;
        info.rows = 2;
        const RowTurns t = row_turns(halves, m.flow(), int(l), 0, first_shared + int(k));
        bool forth = false, back = false;
        for (const RowTurns::StepRows& s : t.steps) {
          forth = forth || (s.read == 0 && s.written == 1);
          back = back || (s.read == 1 && s.written == 0);
        }
        if (!forth || !back) continue;
        EXPECT_EQ(declared, 2) << a->name << ": " << info.name << " holds two buffers that take turns";
        swapping.push_back(a->name);
      }
  }
  EXPECT_NE(std::ranges::find(swapping, "scan/hillis-steele"), swapping.end());
}

}  // namespace
}  // namespace bscope::test
