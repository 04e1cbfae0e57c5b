// What is done: barriers, threads, operations.
#include <cmath>
#include <map>
#include <utility>

#include "engine/analysis/active_lanes.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/work.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

std::string counted(long n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}
std::function<std::vector<LineCount>(const Report&)> atomics(bool shared, bool global) {
  return [shared, global](const Report& r) {
    std::map<std::pair<int, int>, long> counts;
    for (const Node& n : r.flow.nodes)
      if (is_atomic(n.op) && (n.place.shared() ? shared : global)) ++counts[{n.launch, n.line}];
    std::vector<LineCount> all;
    for (const auto& [place, count] : counts) all.push_back({place.first, place.second, count});
    return all;
  };
}

std::function<std::vector<LineCount>(const Report&)> of_active_lanes(long (*of)(const ActiveLanes&)) {
  return [of](const Report& r) {
    const auto& launches = r.active_lanes();
    std::vector<LineCount> all;
    for (size_t k = 0; k < launches.size(); ++k)
      for (const auto& [line, lanes] : launches[k]) all.push_back({int(k), line, of(lanes)});
    return all;
  };
}
/// "20.3"
std::string tenths(double n) {
  const long all = std::lround(10 * n);
  return std::to_string(all / 10) + "." + std::to_string(all % 10);
}

const RegisterFact barriers{{
    .name = "barriers",
    .words = "barriers",
    .line = "work",
    .told = [](const Report&, long n) { return counted(n, "barrier", "barriers"); },
    .of_run = [](const Report& r) { return r.barriers; },
    .of_lines =
        [](const Report& r) {
          std::vector<LineCount> all;
          for (const Interval& v : r.flow.intervals)
            if (v.line) all.push_back({v.launch, v.line, 1});
          return all;
        },
}};
const RegisterFact active{{
    .name = "active_threads",
    .asked = "active threads",
    .of_step = [](const Report& r,
                  size_t k) { return long(active_threads(r.flow, r.flow.intervals[k]).size()); },
}};
const RegisterFact adds{{
    .name = "adds",
    .words = "adds",
    .line = "work",
    .told =
        [](const Report& r, long n) {
          const bool adds = r.flow.plus == Op::add;
          return counted(n, "add", "adds") +
                 (adds ? "" : std::string(" (each a ") + name_of(r.flow.plus) + ")");
        },
    .of_run = [](const Report& r) { return r.work().adds; },
    .of_step = [](const Report& r, size_t k) { return work(r.flow, r.flow.intervals[k]).adds; },
}};
const RegisterFact shared_atomics{{
    .words = "shared atomics",
    .asked = "atomics shared",
    .line = "atomics",
    .told = [](const Report&, long n) { return std::to_string(n) + " in shared memory"; },
    .of_lines = atomics(true, false),
}};
const RegisterFact global_atomics{{
    .words = "global atomics",
    .asked = "atomics global",
    .line = "atomics",
    .told = [](const Report&, long n) { return std::to_string(n) + " in global memory"; },
    .of_lines = atomics(false, true),
}};
const RegisterFact all_atomics{{.asked = "atomics", .of_lines = atomics(true, true)}};
const RegisterFact longest_chain{{
    .name = "span",
    .words = "span",
    .line = "work",
    .told = [](const Report&, long n) { return "span " + std::to_string(n); },
    .of_run = [](const Report& r) { return long(r.span()); },
}};
// Divergence: Nsight Compute's "avg. active threads per warp", rounded; a report has its first decimal, too.
const RegisterFact active_lanes_on_average{{
    .name = "active_lanes",
    .words = "active lanes",
    .line = "lanes",
    .told = [](const Report& r,
               long) { return tenths(total(r.active_lanes()).average()) + " of 32 active per instruction"; },
    .of_run = [](const Report& r) { return std::lround(total(r.active_lanes()).average()); },
}};
const RegisterFact warp_instructions{{
    .name = "warp_instructions",
    .asked = "warp instructions",
    .line = "lanes",
    .told = [](const Report&, long n) { return counted(n, "warp instruction", "warp instructions"); },
    .of_lines = of_active_lanes([](const ActiveLanes& l) { return l.instructions; }),
}};

}  // namespace
}  // namespace bscope
