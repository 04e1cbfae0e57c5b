#include <gtest/gtest.h>

#include <algorithm>

#include "app/run/run.hpp"
#include "app/tabs/watch/steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/substeps.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

LoadedState on(const char* kernel, long long n, long long block = 0) {
  RunSpec r;
  r.kernel = kernel;
  r.n = n;
  if (block) r.block = block;
  LoadedState s;
  s.run = open_run(r);
  return s;
}
int substeps_of(const LoadedState& s) {
  return count_substeps(s.run->report, size_t(step_of(*s.run, s.cursor)));
}

TEST(SubSteps, GoThroughTheWholeRunAndBack) {
  LoadedState s = on("scan/blelloch", 16);
  long all = 0;
  for (int step = 0; step < steps(*s.run); ++step) all += count_substeps(s.run->report, size_t(step));
  ASSERT_GT(all, 20);
  std::vector<std::pair<int, int>> forth, back;
  for (long k = 0; k < all; ++k) {
    s = next_substep(s);
    forth.emplace_back(s.cursor.interval, s.cursor.substep);
  }
  EXPECT_EQ(forth.front(), std::pair(0, 0));
  EXPECT_EQ(forth.back(), std::pair(steps(*s.run) - 1, substeps_of(s) - 1));
  EXPECT_EQ(next_substep(s).cursor, s.cursor);  // there is no more
  for (long k = 0; k < all; ++k) {
    back.emplace_back(s.cursor.interval, s.cursor.substep);
    s = previous_substep(s);
  }
  EXPECT_EQ(std::vector(back.rbegin(), back.rend()), forth);
}

TEST(SubSteps, EscapeAndABarrierStepLeaveThem) {
  LoadedState s = next_substep(on("scan/blelloch", 16));
  s.cursor.cell = CellRef{first_shared, 3};
  s = clear_selection(s);
  EXPECT_EQ(s.cursor.substep, -1);
  EXPECT_TRUE(s.cursor.cell);  // the first Esc leaves the request alone
  EXPECT_FALSE(clear_selection(s).cursor.cell);
  EXPECT_EQ(forward(next_substep(s)).cursor.substep, -1);
  EXPECT_EQ(back(next_substep(s)).cursor.substep, -1);
  EXPECT_EQ(previous_substep(s).cursor.substep, substeps_of(s) - 1);
}

TEST(Launches, AreReachedAndClamped) {
  LoadedState s = on("scan/hierarchical", 64, 8);
  ASSERT_GT(s.run->trace.launches.size(), 1u);
  s.cursor.thread = 5;
  s = to_launch(s, 1);
  EXPECT_EQ(s.cursor.launch, 1);
  EXPECT_EQ(s.cursor.interval, 0);
  EXPECT_EQ(s.cursor.thread, -1);
  EXPECT_EQ(to_launch(s, 99).cursor.launch, int(s.run->trace.launches.size()) - 1);
  EXPECT_EQ(to_launch(s, -1).cursor.launch, 0);
}

// Every line of every kernel: the cursor goes where it runs, or a sentence says that it did nothing.
TEST(Lines, AClickGoesWhereTheLineRunsOrSaysThatItDoesNot) {
  int elsewhere = 0, nowhere = 0;
  for (const auto& [kernel, n, block] : {std::tuple{"scan/hierarchical", 100LL, 8LL},
                                         {"scan/blelloch", 16LL, 0LL},
                                         {"scan/look-back", 64LL, 8LL},
                                         {"mistakes/missing-barrier", 16LL, 0LL}}) {
    const LoadedState s = to_step(on(kernel, n, block), 1);
    const DataflowGraph& flow = s.run->report.flow;
    const auto works = [&](const Cursor& c, int line) {
      const int threads = s.run->trace.launches[size_t(c.launch)].block;
      return (c.interval > 0 && flow.of_block(c.launch, c.block)[size_t(c.interval) - 1].line == line) ||
             std::ranges::any_of(flow.nodes, [&](const Node& k) {
               return k.line == line && k.launch == c.launch && k.thread / threads == c.block &&
                      k.interval == c.interval;
             });
    };
    const Trace& trace = s.run->trace;
    const std::string& text = trace.sources[size_t(trace.launches[0].source)].text;
    const int lines = int(std::ranges::count(text, '\n'));
    for (int line = 1; line <= lines; ++line) {
      SCOPED_TRACE(std::string(kernel) + ", line " + std::to_string(line));
      const auto [at, note] = to_line(s, line);
      EXPECT_EQ(at.cursor.line, line);
      const auto here = [&](int launch) {
        return trace.launches[size_t(launch)].source == trace.launches[0].source;
      };
      const bool ran =
          std::ranges::any_of(flow.nodes, [&](const Node& k) { return k.line == line && here(k.launch); }) ||
          std::ranges::any_of(flow.intervals,
                              [&](const Interval& i) { return i.line == line && here(i.launch); });
      if (!ran) {
        EXPECT_EQ(step_of(*at.run, at.cursor), step_of(*s.run, s.cursor));
        EXPECT_NE(note.find("did nothing in this run"), std::string::npos);
        ++nowhere;
        continue;
      }
      EXPECT_TRUE(works(at.cursor, line));
      const bool same = at.cursor.launch == s.cursor.launch && at.cursor.block == s.cursor.block;
      EXPECT_EQ(note.empty(), same);
      elsewhere += !same;
      EXPECT_TRUE(!works(s.cursor, line) || at.cursor.interval == s.cursor.interval);
      // once more: it is let go, and the place stays
      const auto [again, nothing] = to_line(at, line);
      EXPECT_EQ(again.cursor.line, 0);
      EXPECT_EQ(nothing, "");
      EXPECT_EQ(step_of(*again.run, again.cursor), step_of(*at.run, at.cursor));
    }
  }
  EXPECT_GT(elsewhere, 0);
  EXPECT_GT(nowhere, 20);
}

}  // namespace
}  // namespace bscope
