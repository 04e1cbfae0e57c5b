#include "app/cli/check.hpp"

namespace bscope {

Verdict check(const Run& run) {
  const Report& r = run.report;
  Verdict v;
  v.correct = r.correct;
  v.snapshots_match = r.flow.snapshots_match;
  v.ordered = r.flow.hazards_found == 0;
  v.findings = run.trace.findings;
  for (const auto& fault : r.flow.faults) v.findings.push_back({0, 0, 0, 0, fault});
  v.well_behaved = v.findings.empty();
  v.barriers = barriers(run.trace, r.flow);
  v.proof_failed = r.proof.applies && !r.proof.holds;
  return v;
}

}  // namespace bscope
