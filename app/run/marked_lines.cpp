#include "app/run/marked_lines.hpp"

#include "app/run/verdict.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/finding.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

std::map<int, Message> marked_lines(const Run& run, int source) {
  std::map<int, Message> all;
  const auto add = [&](int launch, int line, const Message& what) {
    const auto& launches = run.trace.launches;
    if (line > 0 && size_t(launch) < launches.size() && launches[size_t(launch)].source == source)
      all.try_emplace(line, what);
  };
  for (const Hazard& h : run.report.flow.hazards)
    for (const int line : h.lines) add(h.launch, line, h.message);
  for (const Finding& f : findings_of(run)) add(f.launch, f.line, f.sentences());
  return all;
}

}  // namespace bscope
