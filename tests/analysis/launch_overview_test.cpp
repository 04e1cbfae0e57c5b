// Every block of a launch at a glance, held against what each block did by itself.
#include "engine/analysis/launch_overview.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/analysis/block_steps.hpp"
#include "tests/analysis/moments_support.hpp"

namespace bscope {
namespace {

/// The column of one of `all` where there are so many columns.
int column(int one, int all, int columns) { return int(int64_t(one) * columns / all); }

TEST(LaunchOverview, SaysOfEachBlockWhatItsStepsSay) {
  for (const auto& [n, block] : {std::pair(40, 4), {24, 8}, {300, 256}}) {
    const RunQueries m = model_of("scan/blelloch", n, block);
    const Launch& l = m.trace().launches[0];
    for (int interval = 0; interval < int(m.block(0, 0).steps.size()); interval += 2)
      for (const int array : {0, first_shared}) {
        constexpr int columns = 7;
        const LaunchOverview all = launch_overview(m.trace(), m.flow(), 0, interval, array, columns);
        ASSERT_EQ(int(all.blocks.size()), l.grid);
        for (int b = 0; b < l.grid; ++b) {
          const LaunchOverview::BlockOverview& glance = all.blocks[size_t(b)];
          const Step& step = m.block(0, b).steps[size_t(interval)];
          EXPECT_EQ(glance.working, step.working);
          const int cells = m.array(0, array).size, across = std::min(cells, columns);
          std::set<int> written, working;
          for (const auto& [key, w] : step.written_in(array, 0, cells))
            written.insert(column(int(uint32_t(key)), cells, across));
          for (int k = 0; k < l.block; ++k)
            if (step.works[size_t(k)]) working.insert(column(k, l.block, std::min(l.block, columns)));
          for (int k = 0; k < across; ++k)
            EXPECT_EQ(glance.touched[size_t(k)] == LaunchOverview::writes, written.contains(k));
          for (int k = 0; k < int(glance.lanes.size()); ++k)
            EXPECT_EQ(glance.lanes[size_t(k)], working.contains(k));
          EXPECT_EQ(glance.values.empty(), array < first_shared);
          for (const float value : glance.values) EXPECT_LE(value, all.largest);
        }
      }
  }
}

// Nine blocks of which eight fit: each waits for the next, and the last for room.
TEST(LaunchOverview, CountsTheThreadsThatWaitForEver) {
  const RunQueries m = model_of("mistakes/waits-ahead", 36, 4);
  for (const int interval : {0, 1}) {
    const LaunchOverview all = launch_overview(m.trace(), m.flow(), 0, interval, first_shared, 8);
    for (int b = 0; b < 8; ++b) EXPECT_EQ(all.blocks[size_t(b)].stuck, interval ? 4 : 0) << b;
    EXPECT_EQ(all.blocks[8].stuck, 0) << "it has not begun";
  }
  const RunQueries well = model_of("mistakes/waits-ahead", 32, 4);
  for (const LaunchOverview::BlockOverview& b :
       launch_overview(well.trace(), well.flow(), 0, 1, first_shared, 8).blocks)
    EXPECT_EQ(b.stuck, 0);
}

TEST(LaunchOverview, KnowsWhoHasEndedBefore) {
  const RunQueries m = model_of("scan/blelloch", 40, 4);
  const int steps = int(m.block(0, 0).steps.size());
  for (const auto& block : launch_overview(m.trace(), m.flow(), 0, steps, first_shared, 8).blocks) {
    EXPECT_FALSE(block.there);
    EXPECT_EQ(block.working, 0);
  }
}

}  // namespace
}  // namespace bscope
