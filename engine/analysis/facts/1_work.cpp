// What is done: barriers, threads, operations.
#include "engine/analysis/facts.hpp"

namespace bscope {
namespace {

std::string counted(long n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}
std::function<long(const Report&)> atomics(bool shared) {
  return [shared](const Report& r) {
    long n = 0;
    for (const Node& node : r.flow.nodes) n += is_atomic(node.op) && node.place.shared() == shared;
    return n;
  };
}

const RegisterFact barriers{{
    .name = "barriers",
    .words = "barriers",
    .line = "work",
    .told = [](const Report&, long n) { return counted(n, "barrier", "barriers"); },
    .of_run = [](const Report& r) { return r.barriers; },
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
    .of_run = atomics(true),
}};
const RegisterFact global_atomics{{
    .words = "global atomics",
    .asked = "atomics global",
    .line = "atomics",
    .told = [](const Report&, long n) { return std::to_string(n) + " in global memory"; },
    .of_run = atomics(false),
}};
const RegisterFact longest_chain{{
    .name = "span",
    .words = "span",
    .line = "work",
    .told = [](const Report&, long n) { return "span " + std::to_string(n); },
    .of_run = [](const Report& r) { return long(r.span()); },
}};

}  // namespace
}  // namespace bscope
