// What could be saved, and what a launch takes: asked for by name, by lessons and by assignments.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "engine/analysis/active_lanes.hpp"
#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// What each line's requests are answered in beyond the fewest that would do.
std::function<std::vector<LineCount>(const Report&)> beyond_the_fewest(bool shared) {
  return [shared](const Report& r) {
    std::map<std::pair<int, int>, long> counts;
    for (const WarpAccess& q : r.requests())
      if (q.shared() == shared) counts[{q.launch, q.line}] += answers(q) - fewest(q);
    if (!shared)
      for (const EngineCopy& c : engine_copies(*r.trace, r.flow))
        counts[{c.launch, c.line}] += c.sectors - c.ideal_sectors;
    std::vector<LineCount> all;
    for (const auto& [place, count] : counts) all.push_back({place.first, place.second, count});
    return all;
  };
}

const RegisterFact bank_conflicts{{.asked = "bank conflicts", .of_lines = beyond_the_fewest(true)}};
const RegisterFact extra_sectors{{.asked = "extra sectors", .of_lines = beyond_the_fewest(false)}};
// Warps that come to a line with lanes switched off, where fewer full ones would do.
const RegisterFact divergent_passes{{
    .asked = "divergent passes",
    .of_lines =
        [](const Report& r) {
          std::vector<LineCount> all;
          for (const Divergence& d : divergence(*r.trace, r.requests())) {
            const long fewest = std::lround(double(d.requests) / d.executed_over_ideal);
            all.push_back({d.launch, d.line, d.requests - fewest});
          }
          return all;
        },
}};
// Lanes that an instruction leaves out, in all of them together: of what a loop of different lengths, or a
// branch, costs.
const RegisterFact idle_lanes{{
    .asked = "idle lanes",
    .of_lines =
        [](const Report& r) {
          const auto& launches = r.active_lanes();
          std::vector<LineCount> all;
          for (size_t k = 0; k < launches.size(); ++k)
            for (const auto& [line, lanes] : launches[k]) all.push_back({int(k), line, lanes.idle()});
          return all;
        },
}};
const RegisterFact shared_bytes{{
    .asked = "shared bytes",
    .of_run =
        [](const Report& r) {
          long most = 0;
          for (const Launch& l : r.trace->launches) most = std::max(most, long(l.shared_bytes));
          return most;
        },
}};
const RegisterFact launches{{
    .asked = "launches",
    .of_run =
        [](const Report& r) {
          return long(std::ranges::count_if(r.trace->launches,
                                            [](const Launch& l) { return !is_between_launches(l); }));
        },
}};

}  // namespace
}  // namespace bscope
