// Kernels with one barrier removed, to be run under compute-sanitizer's racecheck, which must agree with us:
//   gpu_mutants list                   their names, one a line
//   gpu_mutants expect NAME            what the CPU executor's trace shows in shared memory: race, clean, or
//                                      race-with-atomics: every hazard has an atomic on one side
//   gpu_mutants run FORM NAME          runs it on the GPU, FORM traced or untraced
// Exit 1 without a device, 2 for bad usage.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/device.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"

// The originals' text is not linked into this program; nothing reads it here.
std::string_view bscope::source_text(std::string_view) { return {}; }

namespace {
using namespace bscope;

int usage() {
  std::fprintf(stderr, "usage: gpu_mutants list | expect NAME | run traced|untraced NAME\n");
  return 2;
}

/// The runs that must show it: inclusive and exclusive where there is a choice, since some barriers serve
/// one.
std::vector<Problem> problems(const Algorithm& a) {
  RunSpec r;
  r.kernel = a.name;
  // Several warps a block: lanes of one warp may happen to stay together.
  r.block = 256;
  r.n = 600;
  std::vector<Problem> all{make_problem(a, r)};
  for (const Parameter& p : a.parameters)
    for (const Choice& value : p.values)
      if (p.name == "scan" && value.text != p.initial.text) {
        r.set = {{p.name, value.text}};
        all.push_back(make_problem(a, r));
      }
  return all;
}

/// Whether one of the hazard's two accesses is an atomic.
bool has_atomic(const DataflowGraph& flow, const Hazard& h) {
  return std::any_of(flow.nodes.begin(), flow.nodes.end(), [&](const Node& n) {
    return is_atomic(n.op) && n.launch == h.launch && n.place == h.place &&
           ((n.thread == h.threads[0] && n.line == h.lines[0]) ||
            (n.thread == h.threads[1] && n.line == h.lines[1]));
  });
}

int main_of(const std::vector<std::string>& args) {
  if (args.size() == 1 && args[0] == "list") {
    for (const Algorithm* a : catalog()) std::printf("%s\n", a->name.c_str());
    return 0;
  }
  if (args.size() == 2 && args[0] == "expect") {
    const Algorithm& a = find(args[1]);
    bool race = false, plain = false;
    for (const Problem& p : problems(a)) {
      const DataflowGraph flow = replay_trace(run(a, p, Device::cpu, {Schedule::to_barrier}));
      for (const Hazard& h : flow.hazards) {
        if (!h.place.shared()) continue;
        race = true;
        plain |= !has_atomic(flow, h);
      }
    }
    std::printf("%s\n", plain ? "race" : race ? "race-with-atomics" : "clean");
    return 0;
  }
  if (args.size() != 3 || args[0] != "run" || (args[1] != "traced" && args[1] != "untraced")) return usage();
  Message why;
  if (!gpu(&why)) throw NoDevice(why);
  const Algorithm& a = find(args[2]);
  for (const Problem& p : problems(a)) {
    if (args[1] == "traced") {
      a.gpu(p);
      continue;
    }
    const auto timed = a.timed(p);
    timed->restore();
    timed->launch();
    timed->output();
  }
  return 0;
}
}  // namespace

int main(int argc, char** argv) {
  try {
    return main_of({argv + 1, argv + argc});
  } catch (const bscope::UsageError& e) {
    std::fprintf(stderr, "gpu_mutants: %s\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "gpu_mutants: %s\n", e.what());
    return 1;
  }
}
