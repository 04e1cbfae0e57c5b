// What warps ask of memory, and what the hardware makes of it.
#include <algorithm>

#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"

namespace bscope {
namespace {

using Figure = long RequestTotals::*;
std::function<long(const Report&)> of_run(Figure figure) {
  return [figure](const Report& r) { return total(r.requests()).*figure; };
}
std::function<long(const Report&, size_t)> of_step(Figure figure) {
  return [figure](const Report& r, size_t interval) { return total(r.requests_of(interval)).*figure; };
}
std::string ideal(const Report&, long n) { return "ideal " + std::to_string(n); }

const RegisterFact shared_requests{{
    .name = "shared_requests",
    .asked = "requests",
    .of_step = of_step(&RequestTotals::shared_requests),
}};
const RegisterFact wavefronts{{
    .name = "shared_wavefronts",
    .words = "wavefronts",
    .ideal = "shared_wavefronts_ideal",
    .tells = true,
    .line = "shared",
    .of_request = [](const WarpAccess& q) { return long(q.shared() ? q.wavefronts : 0); },
}};
const RegisterFact ideal_wavefronts{{
    .name = "shared_wavefronts_ideal",
    .asked = "ideal wavefronts",
    .line = "shared",
    .told = ideal,
    .of_run = of_run(&RequestTotals::shared_wavefronts_ideal),
    .of_step = of_step(&RequestTotals::shared_wavefronts_ideal),
}};
const RegisterFact loads{{
    .asked = "load wavefronts",
    .of_run = of_run(&RequestTotals::shared_load_wavefronts),
}};
const RegisterFact stores{{
    .asked = "store wavefronts",
    .of_run = of_run(&RequestTotals::shared_store_wavefronts),
}};
const RegisterFact ways{{
    .asked = "ways",
    .of_step =
        [](const Report& r, size_t interval) {
          long most = 0;
          for (const WarpAccess& q : r.requests_of(interval))
            if (q.shared()) most = std::max(most, long(q.wavefronts));
          return most;
        },
}};
const RegisterFact global_requests{{
    .name = "global_requests",
    .asked = "global requests",
    .of_step = of_step(&RequestTotals::global_requests),
}};
// `show`'s totals do not have it
const RegisterFact all_global_requests{{
    .asked = "global requests",
    .of_run = of_run(&RequestTotals::global_requests),
}};
const RegisterFact sectors{{
    .name = "global_sectors",
    .words = "sectors",
    .ideal = "global_sectors_ideal",
    .tells = true,
    .line = "global",
    .of_request = [](const WarpAccess& q) { return long(q.shared() ? 0 : q.sectors); },
    .of_copy = [](const EngineCopy& c) { return long(c.sectors); },
}};
const RegisterFact ideal_sectors{{
    .name = "global_sectors_ideal",
    .asked = "ideal sectors",
    .line = "global",
    .told = ideal,
    .of_run =
        [](const Report& r) {
          long n = total(r.requests()).global_sectors_ideal;
          for (const EngineCopy& c : engine_copies(*r.trace, r.flow)) n += c.ideal_sectors;
          return n;
        },
    .of_step =
        [](const Report& r, size_t interval) {
          long n = total(r.requests_of(interval)).global_sectors_ideal;
          for (const EngineCopy& c : engine_copies(*r.trace, r.flow, r.flow.intervals[interval]))
            n += c.ideal_sectors;
          return n;
        },
}};

}  // namespace
}  // namespace bscope
