#include "app/run/titles.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "app/run/run.hpp"
#include "app/run/values.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

TEST(Titles, LaunchesAreNumberedAndWhatLiesBetweenThemIsNot) {
  Trace t;
  Launch scan;
  scan.name = "scan";
  EXPECT_EQ(numbered(t, scan, "2", ": "), "2: scan");
  Launch between;
  between.name = "launches not shown";
  between.blocks = {{.first = {0, 1}, .events = {{0, Op::store, 0, 7, 3, 0}}, .snapshots = {}}};
  EXPECT_TRUE(is_between_launches(between));
  EXPECT_EQ(numbered(t, between, "5", " "), "launches not shown") << "5 launches would be a count";
  t.launches = {scan, between, scan};
  EXPECT_EQ(launch_count(t), 2);
  EXPECT_EQ(launch_number(t, 0), 1);
  EXPECT_EQ(launch_number(t, 2), 2);
  EXPECT_EQ(launch_at(t, 2), 2);
  EXPECT_EQ(launch_at(t, 0), std::nullopt);
  EXPECT_EQ(launch_at(t, 3), std::nullopt);
  Launch nameless = scan;
  nameless.name.clear();
  EXPECT_EQ(numbered(t, nameless, "3", " "), "3");
}

TEST(Titles, UsersKernelsKeepTheirNames) {
  const ScopedLanguage chinese(Language::zh);
  Launch scan;
  scan.name = "scan";
  scan.block = 8;
  Interval step;
  step.phase = "load";
  for (const bool named : {false, true}) {  // a launch with barriers names its phases after itself
    if (named) scan.phases[1] = step.phase = "scan";
    Trace catalog, own;
    catalog.launches = own.launches = {scan};
    own.dialect = Dialect::cuda;
    EXPECT_EQ(launch_title(catalog, scan), translated("scan"));
    EXPECT_EQ(launch_title(own, scan), "scan");
    EXPECT_EQ(phase_name(own, step), "scan");
    EXPECT_EQ(phase_title(own, step), "scan");
    EXPECT_EQ(numbered(own, scan, "1", tr(": ")), "1：scan");
  }
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
