#include "app/run/titles.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "app/run/run.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

TEST(Titles, LaunchesAreNumberedAndWhatLiesBetweenThemIsNot) {
  Launch scan;
  scan.name = "scan";
  EXPECT_EQ(numbered(scan, "2", ": "), "2: scan");
  Launch between;
  between.name = "launches not shown";
  between.blocks = {{.first = {0, 1}, .events = {{0, Op::store, 0, 7, 3, 0}}, .snapshots = {}}};
  EXPECT_TRUE(is_between_launches(between));
  EXPECT_EQ(numbered(between, "5", " "), "launches not shown") << "5 launches would be a count";
  Trace t;
  t.launches = {scan, between, scan};
  EXPECT_EQ(launch_count(t), 2);
  EXPECT_EQ(launch_number(t, 0), 1);
  EXPECT_EQ(launch_number(t, 2), 2);
  EXPECT_EQ(launch_at(t, 2), 2);
  EXPECT_EQ(launch_at(t, 0), std::nullopt);
  EXPECT_EQ(launch_at(t, 3), std::nullopt);
  Launch nameless = scan;
  nameless.name.clear();
  EXPECT_EQ(numbered(nameless, "3", " "), "3");
}

TEST(Titles, NoKernelsLaunchLiesBetween) {
  for (const char* kernel : {"reduce/shared", "scan/hierarchical", "histogram/serial"}) {
    const auto run = open_run({.kernel = kernel, .n = 1, .block = 1});
    for (const Launch& l : run->trace.launches)
      EXPECT_FALSE(is_between_launches(l)) << kernel << " " << l.name;
  }
}

}  // namespace
}  // namespace bscope
