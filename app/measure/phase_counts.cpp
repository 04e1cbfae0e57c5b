#include "app/measure/phase_counts.hpp"

#include <algorithm>
#include <charconv>

#include "app/run/run.hpp"
#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/timing/timeline.hpp"

namespace bscope {
namespace {

constexpr long long enough = 1 << 15;  // elements: some hundred blocks, a second

RunSpec request_of(const Timeline& t, const Algorithm& a) {
  RunSpec r;
  r.kernel = t.kernel;
  for (const auto& [name, value] : t.parameters)
    if (name == "block") {
      int block = 0;
      std::from_chars(value.data(), value.data() + value.size(), block);
      r.block = block;
    } else if (std::ranges::any_of(a.parameters, [&](const Parameter& p) { return p.name == name; })) {
      r.set.emplace_back(name, value);
    }
  r.n = 1;
  r.pattern = "random";
  // whole tiles: what is left over at the end of a long input weighs nothing
  const long long tile = std::max<long long>(1, a.tile ? a.tile(make_problem(a, r)) : r.block.value_or(1));
  r.n = std::min(t.n, tile * std::max(4LL, enough / tile));
  return r;
}

TimelineCount& count_in(TimelineLaunch& l, const std::string& phase) {
  const auto it = std::ranges::find(l.counted, phase, &TimelineCount::phase);
  return it == l.counted.end() ? l.counted.emplace_back(TimelineCount{phase}) : *it;
}

}  // namespace

void count_phases(Timeline& t) {
  const Algorithm* a = algorithm_of(t.kernel);
  if (!a) return;
  const RunSpec r = request_of(t, *a);
  const auto run = open_run(r);
  t.counted_n = *r.n;
  for (TimelineLaunch& l : t.launches) {
    l.counted.clear();
    const auto has = [&](const std::string& phase) {
      return std::ranges::any_of(l.phases, [&](const auto& named) { return named.second == phase; });
    };
    const auto& intervals = run->report.flow.intervals;
    for (size_t k = 0; k < intervals.size(); ++k) {
      if (run->trace.launches[size_t(intervals[k].launch)].name != l.name) continue;
      // what the first access of an interval finds no name for is called "load"
      TimelineCount& c = count_in(l, has(intervals[k].phase) ? intervals[k].phase : "");
      for (const WarpAccess& q : run->report.requests_of(k)) {
        c.wavefronts += q.shared() ? q.wavefronts : 0;
        c.sectors += q.shared() ? 0 : q.sectors;
        c.atomics += is_atomic(q.op) ? long(q.lanes.size()) : 0;
      }
      c.sectors += engine_sectors(*run, intervals[k]);
    }
  }
}

}  // namespace bscope
