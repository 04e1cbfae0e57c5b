// From a finding to its place in the run.
#include "app/session/finding_steps.hpp"

#include <gtest/gtest.h>

#include "app/run/finding_groups.hpp"
#include "app/run/marked_lines.hpp"
#include "app/run/own_program.hpp"
#include "engine/analysis/run.hpp"
#include "tests/at_once.hpp"
#include "tests/session/opened.hpp"

namespace bscope {
namespace {

TEST(FindingSteps, LeadToStepThreadCellAndLine) {
  for (const char* kernel : {"mistakes/missing-barrier", "mistakes/in-place"}) {
    SCOPED_TRACE(kernel);
    LoadedState s = opened_on(kernel);
    const auto groups = finding_groups(*s.run);
    ASSERT_FALSE(groups.empty());
    const FindingGroup& g = groups[0];
    ASSERT_TRUE(g.moment);
    ASSERT_GT(g.at.line, 0);
    s.tab = "watch";
    s.playing = true;
    s = to_finding(std::move(s), g);
    EXPECT_EQ(s.cursor.launch, g.moment->launch);
    EXPECT_EQ(s.cursor.block, g.moment->block);
    EXPECT_EQ(s.cursor.interval, g.moment->interval);
    EXPECT_EQ(s.cursor.thread, g.moment->thread);
    EXPECT_EQ(s.cursor.cell, g.moment->cell);
    EXPECT_EQ(s.cursor.line, g.at.line);
    EXPECT_FALSE(s.playing);
    EXPECT_TRUE(marked_lines(*s.run, 0).contains(g.at.line));
  }
}

TEST(FindingSteps, KeepTheLineOfAnotherFileOut) {
  LoadedState s = opened_on("mistakes/missing-barrier");
  FindingGroup g = finding_groups(*s.run)[0];
  g.at.file = "host.cpp";
  s = to_finding(std::move(s), g);
  EXPECT_EQ(s.cursor.line, 0);
}

TEST(MarkedLines, AreNoneWhereAllIsWell) {
  EXPECT_TRUE(marked_lines(*opened_on("scan/blelloch").run, 0).empty());
}

}  // namespace
}  // namespace bscope
