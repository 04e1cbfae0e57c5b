#include <fmt/core.h>

#include <algorithm>

#include "app/cli/lines.hpp"
#include "app/cli/text.hpp"
#include "app/run/verdict.hpp"
#include "engine/analysis/hazards.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {
namespace {

/// What was got and expected; of long outputs the first cell that differs.
std::string difference(const Run& run) {
  const Report& r = run.report;
  if (r.expected.size() <= 16)
    return "got " + values(run.trace, run.trace.output, r.output, 16) + ", expected " +
           values(run.trace, run.trace.output, r.expected, 16);
  return first_difference(run).english();
}

/// The first few different ones, each with the number of its likes.
std::string findings_text(const std::vector<Finding>& findings, Ink ink) {
  constexpr size_t most = 5;
  std::vector<std::pair<std::string, int>> different;
  for (const Finding& f : findings) {
    const std::string text = f.text();
    const auto same = std::ranges::find_if(different, [&](const auto& d) { return d.first == text; });
    if (same == different.end())
      different.emplace_back(text, 1);
    else
      ++same->second;
  }
  std::string s;
  for (size_t i = 0; i < std::min(most, different.size()); ++i) {
    const auto& [text, times] = different[i];
    s += wrapped(times == 1 ? text : text + fmt::format(" ({} times)", times), 100, "        ");
  }
  if (different.size() > most)
    s += ink(Role::idle, fmt::format("        and {} more like these\n", different.size() - most));
  return s;
}

/// Of a program that ran out of time. A launch that a limit ended says itself where to look.
std::string what_to_do(const Verdict& v) {
  if (std::ranges::any_of(v.findings, is_endless)) return "";
  return " Give it more time with --seconds, or watch a smaller run with --const NAME=VALUE.";
}

}  // namespace

std::string check_text(const Run& run, const Verdict& v, Ink ink) {
  const Report& r = run.report;
  std::string s = Frames(run, ink, 100).heading() + "\n";
  const auto line = [&](const std::string& mark, const std::string& sentence) {
    s += mark + wrapped(sentence, 100, "      ").substr(6);
  };
  const std::string fails = ink(Role::race, "FAIL  ");
  const auto judge = [&](bool good, const std::string& sentence) {
    line(good ? ink(Role::thread, "pass  ") : fails, sentence);
  };
  if (!v.stopped.empty())
    line(ink(Role::race, "-     "), "not judged: " + v.stopped.english() + what_to_do(v));
  else if (v.judged)
    judge(v.correct, !v.correct  ? "the result is wrong: " + difference(run)
                     : v.ordered ? "the result is right"
                                 : "the result of this run is right; another order may give another");
  else
    line(ink(Role::idle, "-     "),
         "no expected result given: a comment in the file can say one, for example // barrierscope: expect "
         "out = "
         "inclusive_scan(in)");
  judge(v.ordered, v.ordered ? "no two threads touch a cell unordered"
                             : count(long(r.flow.hazards_found), "hazard", "hazards"));
  constexpr size_t most_told = 5;
  size_t causes = 0;
  for (const Hazard& h : r.flow.hazards)
    if (h.alike >= 0 && ++causes <= most_told)
      s += wrapped(followed_by(h.message, more_like(h)).english(), 100, "        ");
  if (causes > most_told)
    s += ink(Role::idle, fmt::format("        and {} more like these\n", causes - most_told));
  if (r.lost().lost)
    s += fmt::format("        {} of {} updates are lost\n", r.lost().lost, r.lost().performed);
  std::vector<Finding> findings = v.findings;  // a limit's is said above
  std::erase_if(findings, is_endless);
  judge(v.well_behaved, v.well_behaved ? "barriers meet, accesses are in bounds, everything read was written"
                                       : count(long(findings.size()), "finding", "findings"));
  s += findings_text(findings, ink);
  for (const Message& mistake : v.program) line(fails, mistake.english());
  // What is read twice or not written explains a failure, and is none by itself. Of a run that was stopped
  // neither says anything.
  for (size_t i = 0; v.stopped.empty() && i < v.coverage.messages.size(); ++i) {
    const bool failed = i == 0 && !v.coverage.whole();
    if (failed || (v.judged && !v.correct) || v.proof_failed)
      line(failed ? fails : ink(Role::race, "why   "), v.coverage.messages[i].english());
  }
  if (!v.snapshots_match) judge(false, "the replay differs from the real memory");
  const Proof& proof = r.proof();
  const std::string proved = (proof.holds ? "proved: " : "no proof: ") + proof.message.english();
  // A finding, or an input that no thread reads, may be the reason for the missing proof; then it is reported
  // already.
  const bool told_already = !v.ordered || !v.well_behaved || !v.snapshots_match || !v.coverage.whole();
  if (proof.applies && v.stopped.empty()) {
    if (proof.holds || !told_already) judge(proof.holds, proved);
  } else if (!proof.applies && run.trace.property == Property::histogram) {
    line(ink(Role::idle, "-     "), proved);
  }
  for (const Barrier& b : v.barriers)
    if (!b.needed) line(ink(Role::idle, "note  "), b.message.english());
  if (!v.fix.empty() && v.passed())
    line(ink(Role::phase, "note  "),
         "this kernel makes a mistake on purpose, and this run does not show it; others do");
  return s;
}

}  // namespace bscope
