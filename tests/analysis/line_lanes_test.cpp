// How many lanes did what on each line.
#include "engine/analysis/line_lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope {
namespace {

int line_with(const Trace& t, const std::string& words) {
  const std::string& text = t.sources[size_t(t.launches[0].source)].text;
  const auto at = text.find(words);
  return at == std::string::npos ? 0 : 1 + int(std::count(text.begin(), text.begin() + ptrdiff_t(at), '\n'));
}

TEST(LineLanes, CountsEachLaneOnce) {
  const Algorithm& a = find("scan/blelloch");
  const Trace t = run(a, make_problem(a, {.kernel = a.name, .n = 16, .block = 8}), Device::cpu);
  const auto all = line_lanes(t.launches[0]);
  // the up-sweep of 16: 8 + 4 + 2 + 1 adds, each of two cells
  const LineLanes add = all.at(line_with(t, "sum[right] = sum[right - stride]"));
  EXPECT_EQ(add, (LineLanes{.read = 30, .wrote = 15, .computed = 15}));
  const LineLanes load = all.at(line_with(t, "x = data[base + k]"));
  EXPECT_EQ(load, (LineLanes{.read = 16}));
  EXPECT_FALSE(all.contains(line_with(t, "auto sum = shared"))) << "nothing was counted there";
}

TEST(LineLanes, AVectorIsOneAccess) {
  const Algorithm& a = find("histogram/per-lane");
  const Trace t = run(a, make_problem(a, {.kernel = a.name, .n = 16 * 64, .block = 32}), Device::cpu);
  long read = 0, updated = 0;
  for (const auto& [line, l] : line_lanes(t.launches[0])) {
    updated += l.updated;
    if (line == line_with(t, "count(sixteens[l])") || line == line_with(t, "v[l] = sixteens")) read += l.read;
  }
  EXPECT_EQ(read, 64) << "sixteen keys at a time";
  EXPECT_GE(updated, 16 * 64);
}

}  // namespace
}  // namespace bscope
