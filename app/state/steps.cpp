// Where the cursor stands in a run, and how it moves.
#include <algorithm>
#include <tuple>

#include "app/session.hpp"

namespace bscope {

int step_of(const Run& run, const Cursor& c) {
  const auto& all = run.report.flow.intervals;
  const auto after = std::upper_bound(
      all.begin(), all.end(), std::tuple(c.launch, c.block, c.interval),
      [](const auto& place, const Interval& i) { return place < std::tuple(i.launch, i.block, i.index); });
  return std::max(0, int(after - all.begin()) - 1);
}

Cursor at_step(const Run& run, Cursor c, int step) {
  const auto& all = run.report.flow.intervals;
  if (all.empty()) return c;
  const Interval& i = all[size_t(std::clamp(step, 0, int(all.size()) - 1))];
  c.launch = i.launch;
  c.block = i.block;
  c.interval = i.index;
  c.phase = 1;
  return c;
}

}  // namespace bscope
