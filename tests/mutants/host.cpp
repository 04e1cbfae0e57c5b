// Loads a kernel file that was compiled as a shared object, runs its algorithms and says as JSON what their
// traces show. tests/scripts/mutants_test.py hands it kernels with a barrier taken out.
#include <dlfcn.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope {

// The real one is linked with the kernels, of which this program has none.
std::string_view source_text(std::string_view) { return {}; }

namespace {

/// Different sizes, whole and padded, and each choice of each parameter; types and operators aside, of which
/// the kernel file was compiled for one (BARRIERSCOPE_INT32_ONLY): barriers order accesses, whatever is
/// added.
std::vector<RunSpec> problems(const Algorithm& a) {
  std::vector<RunSpec> all;
  for (auto [n, block] : {std::pair(0, 0), std::pair(100, 32), std::pair(1000, 64)}) {
    RunSpec r;
    r.kernel = a.name;
    if (n) r.n = n;
    if (block) r.block = block;
    all.push_back(r);
  }
  for (const Parameter& p : a.parameters) {
    if (p.name == "type" || p.name == "operator") continue;
    for (const Choice& c : p.values) {
      RunSpec r = all[1];
      r.set = {{p.name, c.text}};
      all.push_back(r);
    }
  }
  return all;
}

nlohmann::json look_at(const Algorithm& a) {
  nlohmann::json out{{"kernel", a.name}, {"runs", 0}, {"faults", nlohmann::json::array()}};
  int hazards = 0, wrong = 0, unproved = 0;
  std::map<int, bool> needed;  // of each barrier's line
  for (const RunSpec& r : problems(a))
    for (const auto kind : {Schedule::to_barrier, Schedule::lockstep}) {
      Schedule schedule;
      schedule.kind = kind;
      const Trace t = run(a, make_problem(a, r), Device::cpu, schedule);
      const Report report = analyse(t);
      out["runs"] = out["runs"].get<int>() + 1;
      for (const Finding& f : report.flow.faults) out["faults"].push_back(f.text());
      for (const Finding& f : t.findings) out["faults"].push_back(f.text());
      if (!report.flow.snapshots_match) out["faults"].push_back("the replay differs from the real memory");
      wrong += !report.correct;
      unproved += report.proof().applies && !report.proof().holds;
      for (const Barrier& b : barriers(t, report.flow)) needed[b.line] = needed[b.line] || b.needed;
      if (report.flow.hazards.empty()) continue;
      ++hazards;
      const Hazard& h = report.flow.hazards[0];
      if (!out.contains("hazard"))
        out["hazard"] = {
            {"lines", h.lines}, {"cell", cell_name(t, h.launch, h.place)}, {"sentence", h.message.english()}};
    }
  out["runs_with_hazards"] = hazards;
  out["wrong"] = wrong;
  out["unproved"] = unproved;
  out["needed"] = nlohmann::json::array();
  out["redundant"] = nlohmann::json::array();
  for (auto [line, is] : needed) out[is ? "needed" : "redundant"].push_back(line);
  return out;
}

}  // namespace
}  // namespace bscope

int main(int argc, char** argv) {
  if (argc != 2 || !dlopen(argv[1], RTLD_NOW)) {
    std::fprintf(stderr, "usage: mutants_host KERNEL.so%s%s\n", argc == 2 ? ": " : "",
                 argc == 2 ? dlerror() : "");
    return 2;
  }
  nlohmann::json all = nlohmann::json::array();
  for (const auto& [name, algorithm] : bscope::registered()) all.push_back(bscope::look_at(algorithm));
  std::printf("%s\n", all.dump().c_str());
}
