// Queues of atomics, and the updates that are lost without them.
#include <algorithm>

#include "engine/analysis/contention.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/report.hpp"

namespace bscope {
namespace {

const RegisterFact longest_shared{{
    .name = "longest_shared_queue",
    .asked = "queue shared",
    .line = "queues",
    .told = [](const Report&, long n) { return "longest: " + std::to_string(n) + " in shared memory"; },
    .of_run = [](const Report& r) { return long(r.contention().longest_shared); },
}};
const RegisterFact longest_shared_here{{
    .asked = "queue shared",
    .of_step =
        [](const Report& r, size_t interval) {
          const Interval& v = r.flow.intervals[interval];
          size_t most = 0;
          for (const Queue& q : r.contention().queues)
            if (q.launch == v.launch && q.block == v.block && q.interval == v.index)
              most = std::max(most, q.nodes.size());
          return long(most);
        },
}};
const RegisterFact longest_global{{
    .name = "longest_global_queue",
    .asked = "queue global",
    .line = "queues",
    .told = [](const Report&, long n) { return std::to_string(n) + " in global memory"; },
    .of_run = [](const Report& r) { return long(r.contention().longest_global); },
}};
const RegisterFact longest{{
    .words = "longest queue",
    .formula = "queue",
    .line = "",
    .of_run =
        [](const Report& r) {
          const int most = std::max(r.contention().longest_shared, r.contention().longest_global);
          return long(most < 2 ? 0 : most);  // a queue of one is none
        },
}};
const RegisterFact lost{{
    .name = "lost_updates",
    .asked = "lost updates",
    .of_run = [](const Report& r) { return long(r.lost().lost); },
}};
const RegisterFact updates{{
    .asked = "updates",
    .of_run = [](const Report& r) { return long(r.lost().performed); },
}};
const RegisterFact hazards{{
    .asked = "hazards",
    .of_run = [](const Report& r) { return long(r.flow.hazards_found); },
}};
const RegisterFact events{{
    .name = "events",
    .asked = "events",
    .line = "work",
    .told = [](const Report&, long n) { return std::to_string(n) + " events"; },
    .of_run = [](const Report& r) { return long(r.trace->events()); },
}};

}  // namespace
}  // namespace bscope
