#include "engine/analysis/run.hpp"

#include <algorithm>
#include <tuple>

namespace bscope {

int step_of(const Run& run, const Moment& m) {
  const auto& all = run.report.flow.intervals;
  const auto after = std::upper_bound(
      all.begin(), all.end(), std::tuple(m.launch, m.block, m.interval),
      [](const auto& place, const Interval& i) { return place < std::tuple(i.launch, i.block, i.index); });
  return std::max(0, int(after - all.begin()) - 1);
}

}  // namespace bscope
