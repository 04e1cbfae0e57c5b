#include "app/run/troubles.hpp"

#include <algorithm>

#include "engine/analysis/hazards.hpp"
#include "engine/analysis/strays.hpp"
#include "engine/analysis/unread.hpp"

namespace bscope {
namespace {

constexpr size_t most_of_a_kind = 3;

/// "and 5 more races." after the first few.
void rest(std::vector<std::string>& sentences, size_t all, const char* what) {
  if (all > most_of_a_kind)
    sentences.push_back("And " + std::to_string(all - most_of_a_kind) + " more " + what + ".");
}

}  // namespace

Troubles troubles(const Run& run, const cuda::ProgramRun* program) {
  const Report& r = run.report;
  const Flow& flow = r.flow;
  Troubles t;
  size_t hazards = 0;
  for (const Hazard& h : flow.hazards) {
    if (h.alike < 0 || ++hazards > most_of_a_kind) continue;
    t.sentences.push_back(h.sentence);
    if (h.alike > 0) t.sentences.push_back(more_like(h));
  }
  rest(t.sentences, hazards, "like this");
  const auto& findings = run.trace.findings;
  for (size_t k = 0; k < std::min(findings.size(), most_of_a_kind); ++k) {
    t.sentences.push_back(findings[k].text);
    if (const std::string why = why_out_of_bounds(run.trace, findings[k]); !why.empty())
      t.sentences.back() += " " + why;
  }
  rest(t.sentences, findings.size(), "findings");
  const auto mistakes = program ? mistakes_of(*program) : std::vector<std::string>();
  for (size_t k = 0; k < std::min(mistakes.size(), most_of_a_kind); ++k) t.sentences.push_back(mistakes[k]);
  rest(t.sentences, mistakes.size(), "mistakes");
  const std::string stop = program ? stop_of(*program) : "";
  if (!stop.empty()) t.sentences.push_back(stop);
  const bool wrong = stop.empty() && !r.correct && !run.trace.expected.empty();
  if (wrong) {
    const auto of = coverage(run.trace, flow).sentences;
    t.sentences.insert(t.sentences.end(), of.begin(), of.end());
    if (r.proof().applies && !r.proof().holds && t.sentences.empty())
      t.sentences.push_back(r.proof().sentence);
    if (t.sentences.empty()) t.sentences.push_back("The result is not what a serial run gives.");
  }
  t.word = !flow.hazards.empty()                    ? "race"
           : !findings.empty() || !mistakes.empty() ? "fault"
           : !stop.empty()                          ? "stopped"
           : wrong                                  ? "wrong"
                                                    : "";
  if (const Algorithm* a = algorithm_of(run.trace.kernel)) t.fix = a->fix;
  return t;
}

}  // namespace bscope
