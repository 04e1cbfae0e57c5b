#include <gtest/gtest.h>

#include "app/view/compare.hpp"
#include "tests/view/layout_support.hpp"

namespace bscope {
namespace {

TEST(CompareSide, CountsEachInterval) {
  const auto run = traced("scan/blelloch", "", 16, 8);
  const CompareSide side = compare_side(*run);
  EXPECT_EQ(side.cells, 16);
  long adds = 0;
  for (const auto& row : side.rows) adds += row.adds;
  EXPECT_EQ(adds, 30);
  EXPECT_EQ(side.rows[0].name, "load");
  EXPECT_EQ(side.rows[1].name, "up-sweep 1");
  EXPECT_EQ(side.rows[1].adds, 8);
  ASSERT_EQ(side.rows[1].dots.size(), 8u);
  EXPECT_EQ(side.rows[1].dots[0].cell, 1);
  EXPECT_EQ(side.rows[1].dots[0].from, std::vector<int>{0});
  EXPECT_TRUE(side.rows[1].dots[0].add);
}

TEST(CompareSide, LargeTilesShowThreads) {
  const auto run = traced("scan/blelloch", "", 1024, 512);
  const CompareSide side = compare_side(*run);
  EXPECT_EQ(side.array, -1);
  EXPECT_EQ(side.rows[1].active.size(), 512u);
}

TEST(CompareView, CountsBesideFormulas) {
  const auto a = traced("scan/kogge-stone", "", 32, 32), b = traced("scan/blelloch", "", 32, 16);
  const Theme t = theme(ThemeName::dark, 900);
  const Picture p = compare_view(*a, *b, 4, {}, t, fixed_metrics(), 1600, 856);
  for (const char* words :
       {"Kogge-Stone", "Blelloch", "129", "62", "2(n-1) = 62",
        "Done after 11 intervals. The other has 2 more.", "No time of both kernels has been recorded."})
    EXPECT_TRUE(says(p, words)) << words;
  EXPECT_EQ(hit_named(p, "left 3")->a, 3);
  EXPECT_TRUE(hit_named(p, "right 12"));

  Recording run{"A GPU", "1", "2025-01-02T00:00:00Z", 1000, 0, 0, {}};
  for (const char* kernel : {"scan/kogge-stone", "scan/blelloch", "cub/scan"}) {
    Record r;
    r.kernel = kernel;
    r.n = 1 << 20;
    r.bytes = 8e6;
    r.samples = {2e-5};
    complete(r, run);
    run.records.push_back(r);
  }
  const Picture measured = compare_view(*a, *b, 4, {run}, t, fixed_metrics(), 1600, 856);
  EXPECT_TRUE(says(measured, "Recorded:"));
  EXPECT_TRUE(says(measured, "400"));
  EXPECT_TRUE(says(measured, "40%"));
  expect_clean_everywhere("measured", [&](const Theme& th, const Metrics& m, float w, float h) {
    return compare_view(*a, *b, 4, {run}, th, m, w, h);
  });
}

TEST(CompareView, IsCleanEverywhere) {
  const auto ks = traced("scan/kogge-stone", "", 32, 32), bl = traced("scan/blelloch", "", 1024, 512),
             tree = traced("reduce/tree-mask"), global = traced("histogram/global-atomics"),
             shared = traced("histogram/shared-atomics"), long_scan = traced("scan/blelloch", "", 300, 32);
  for (auto [left, right] : {std::pair{&ks, &bl}, {&bl, &tree}, {&global, &shared}, {&tree, &long_scan}})
    for (int interval : {0, 3, 50})
      expect_clean_everywhere((*left)->trace.kernel + " " + std::to_string(interval),
                              [&](const Theme& t, const Metrics& m, float w, float h) {
                                return compare_view(**left, **right, interval, {}, t, m, w, h);
                              });
}

}  // namespace
}  // namespace bscope
