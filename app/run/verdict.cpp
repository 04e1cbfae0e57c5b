#include "app/run/verdict.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "app/run/own_program.hpp"
#include "app/run/run.hpp"
#include "app/run/values.hpp"
#include "engine/analysis/out_of_bounds.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/toolchain/own_program.hpp"

namespace bscope {
std::vector<Finding> findings_of(const Run& run) {
  std::vector<Finding> all = run.trace.findings;
  for (Finding& f : all) f.message = followed_by(f.message, why_out_of_bounds(run.trace, f));
  for (const Finding& fault : run.report.flow.faults)
    // The replay meets what the executor has found; its own words are for traces without findings.
    if (run.trace.findings.empty() || fault.kind != FindingKind::out_of_bounds) all.push_back(fault);
  return all;
}

Message first_difference(const Run& run) {
  const Report& r = run.report;
  if (r.correct || run.trace.expected.empty()) return {};
  const ArrayInfo& output = run.trace.arrays[size_t(run.trace.output)];
  size_t first = r.expected.size(), differ = 0;
  for (size_t k = r.expected.size(); k-- > 0;)
    if (k >= r.output.size() || r.output[k] != r.expected[k]) first = k, ++differ;
  if (first >= r.output.size())
    return message("{} has {} cells for {} results", output.name, r.output.size(), r.expected.size());
  return message("{}[{}] is {}, expected {}; {} of {} differ", output.name, first,
                 exact_text(output.kind, r.output[first]), exact_text(output.kind, r.expected[first]), differ,
                 r.expected.size());
}

Message stopped_by(const Run& run, const cuda::ProgramRun* program) {
  if (program)
    if (const Message stop = stop_of(*program); !stop.empty()) return stop;
  const auto endless = std::ranges::find_if(run.trace.findings, is_endless);
  return endless == run.trace.findings.end() ? Message() : endless->message;
}

Message unseen_kernels(const cuda::ProgramRun& program) {
  std::vector<std::string> kernels;
  std::set<std::string> shown;
  for (const cuda::ReportedLaunch& l : program.report.launches) {
    if (std::ranges::find(kernels, l.kernel) == kernels.end()) kernels.push_back(l.kernel);
    if (l.in_trace()) shown.insert(l.kernel);
  }
  std::erase_if(kernels, [&](const std::string& k) { return shown.contains(k); });
  std::vector<Message> names;
  for (const std::string& k : kernels) names.push_back(Message::verbatim(k));
  return kernels.empty()
             ? Message()
             : message(
                   "no launch of {} is shown: make the input smaller, for example with --const NAME=VALUE.",
                   comma_list(names));
}

Verdict check(const Run& run, const cuda::ProgramRun* program) {
  const Report& r = run.report;
  Verdict v;
  v.judged = !run.trace.expected.empty();
  v.correct = r.correct;
  v.snapshots_match = r.flow.snapshots_match;
  v.ordered = r.flow.hazards_found == 0;
  v.findings = findings_of(run);
  // A limit of ours ended endless launches: how they would have gone on is unknown.
  v.well_behaved = std::ranges::all_of(v.findings, is_endless);
  v.barriers = barriers(run.trace, r.flow);
  v.coverage = coverage(run.trace, r.flow);
  if (const Algorithm* a = algorithm_of(run.trace.kernel)) v.fix = a->fix;
  v.proof_failed = r.proof().applies && !r.proof().holds;
  if (program) v.program = mistakes_of(*program);
  v.stopped = stopped_by(run, program);
  if (program) v.unseen = unseen_kernels(*program);
  const bool refused = program && program->report.ended == cuda::ended_refused;
  v.may_go_on = !v.stopped.empty() && !refused && std::ranges::none_of(v.findings, is_endless);
  return v;
}

}  // namespace bscope
