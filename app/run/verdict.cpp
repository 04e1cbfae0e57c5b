#include "app/run/verdict.hpp"

#include "app/run/own_program.hpp"
#include "engine/analysis/strays.hpp"

namespace bscope {

Verdict check(const Run& run, const cuda::ProgramRun* program) {
  const Report& r = run.report;
  Verdict v;
  v.judged = !run.trace.expected.empty();
  v.correct = r.correct;
  v.snapshots_match = r.flow.snapshots_match;
  v.ordered = r.flow.hazards_found == 0;
  v.findings = run.trace.findings;
  for (Finding& f : v.findings)
    if (const std::string why = why_out_of_bounds(run.trace, f); !why.empty()) f.text += " " + why;
  for (const auto& fault : r.flow.faults)
    // The replay meets what the executor has found; its own words are for traces without findings.
    if (run.trace.findings.empty() || fault.find("reaches outside") == std::string::npos)
      v.findings.push_back({0, 0, 0, 0, fault});
  v.well_behaved = v.findings.empty();
  v.barriers = barriers(run.trace, r.flow);
  v.coverage = coverage(run.trace, r.flow);
  if (const Algorithm* a = algorithm_of(run.trace.kernel)) v.fix = a->fix;
  v.proof_failed = r.proof().applies && !r.proof().holds;
  if (program) {
    v.program = mistakes_of(*program);
    v.stopped = stop_of(*program);
  }
  return v;
}

}  // namespace bscope
