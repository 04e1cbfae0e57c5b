#include <fmt/core.h>

#include <algorithm>

#include "app/cli/finding_text.hpp"
#include "app/cli/lines.hpp"
#include "app/cli/text.hpp"
#include "app/run/finding_groups.hpp"
#include "app/run/verdict.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {
namespace {

/// What is said of a result that was compared with the expected one.
std::string result_text(const Verdict& v) {
  if (!v.correct) return "the result is wrong";
  return v.ordered ? "the result is right"
                   : "the result of this run is right; another order may give another";
}

}  // namespace

std::string check_text(const Run& run, const Verdict& v, const std::vector<FindingGroup>& groups, Ink ink,
                       int width) {
  std::string s = Frames(run, ink, width).heading() + "\n";
  constexpr size_t most = 20;
  for (size_t k = 0; k < std::min(most, groups.size()); ++k) s += finding_text(groups[k], ink, width);
  if (groups.size() > most)
    s += ink(Role::idle, fmt::format("and {} more; --format=json has all of them\n", groups.size() - most));
  for (const FindingGroup& g : redundant_barriers(run, v.barriers)) s += finding_text(g, ink, width);

  const auto line = [&](const std::string& mark, const std::string& sentence) {
    s += mark + wrapped(sentence, width, "      ").substr(6);
  };
  if (s.ends_with('\n') && !s.ends_with("\n\n")) s += "\n";
  s += cost_text(run.report, ink);
  const std::string passes = ink(Role::thread, "pass  "), fails = ink(Role::race, "FAIL  "),
                    neither = ink(Role::idle, "-     ");
  const size_t errors = count_errors(groups);
  if (errors) line(fails, count(long(errors), "error", "errors") + (v.judged ? "; " + result_text(v) : ""));
  if (!v.stopped.empty())
    line(ink(Role::race, "-     "),
         "not judged: " + v.stopped.english() +
             (v.may_go_on ? " Give it more time with --seconds, or watch a smaller "
                            "run with --const NAME=VALUE."
                          : ""));
  else if (!v.judged && !errors)
    line(neither,
         "nothing to compare the result with: add a comment such as "
         "// barrierscope: expect out = inclusive_scan(in)");
  else if (!errors)
    line(passes, result_text(v));
  if (!errors && v.stopped.empty())
    line(passes, std::string(v.unseen.empty() ? "" : "in what is shown: ") +
                     "no race; barriers meet, accesses are in bounds, everything read was written");
  if (!v.unseen.empty()) line(neither, "not judged: " + v.unseen.english());
  const Proof& proof = run.report.proof();
  if (proof.applies && proof.holds && v.stopped.empty())
    line(passes, "proved: " + proof.message.english());
  else if (!proof.applies && run.trace.property == Property::histogram)
    line(neither, "no proof: " + proof.message.english());
  if (!v.fix.empty() && v.passed())
    line(ink(Role::phase, "note  "),
         "this kernel makes a mistake on purpose, and this run does not show it; others do");
  return s;
}

}  // namespace bscope
