#include "engine/catalog/phase_names.hpp"

#include <algorithm>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/parameter.hpp"
#include "engine/simt/problem.hpp"
#include "engine/timing/timeline.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

bool comes_to(const TimelineLaunch& l, int line) {
  return std::ranges::any_of(l.paths, [&](const auto& path) {
    return std::ranges::find(path, TimelinePlace{Stamp::phase, line}) != path.end();
  });
}

}  // namespace

void name_phases(Timeline& t, const Algorithm& a, const Problem& p) {
  // So long that tiles are put together, too.
  RunSpec r;
  r.kernel = a.name;
  r.block = p.block;
  r.n = std::min<long long>(p.n(), 2LL * a.tile(p) + 1);
  for (const Parameter& parameter : a.parameters)
    if (const auto it = p.set.find(parameter.name); it != p.set.end())
      r.set.emplace_back(it->first, it->second);
  const Trace trace = run(a, make_problem(a, r), Device::cpu, {Schedule::to_barrier});
  // A longer input has more levels, whose launches are called otherwise: there any launch that names the line
  // tells it.
  for (const bool same : {true, false})
    for (const Launch& from : trace.launches)
      for (const BlockRun& b : from.blocks)
        for (const Event& e : b.events) {
          const auto it = e.op == Op::phase ? from.phases.find(e.bits) : from.phases.end();
          if (it == from.phases.end()) continue;
          for (TimelineLaunch& to : t.launches)
            if (!same || to.name == from.name) to.phases.emplace(int(e.line), it->second);
        }
  for (TimelineLaunch& l : t.launches)
    std::erase_if(l.phases, [&](const auto& named) { return !comes_to(l, named.first); });
}

}  // namespace bscope
