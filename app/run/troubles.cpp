#include "app/run/troubles.hpp"

#include <algorithm>

#include "app/run/verdict.hpp"
#include "engine/analysis/hazards.hpp"
#include "engine/analysis/unread.hpp"

namespace bscope {
namespace {

constexpr size_t most_of_a_kind = 2;

/// "And 5 more findings." behind the first few.
void tell_rest(std::vector<std::string>& sentences, size_t more, const char* what) {
  if (more > 0) sentences.push_back("And " + std::to_string(more) + " more " + what + ".");
}

/// The first few different ones, and how many more there are of all.
void tell(std::vector<std::string>& sentences, const std::vector<std::string>& kind, size_t all,
          const char* what) {
  size_t told = 0;
  for (const std::string& sentence : kind) {
    if (told == most_of_a_kind) break;
    if (std::ranges::find(sentences, sentence) != sentences.end()) continue;
    sentences.push_back(sentence);
    ++told;
  }
  tell_rest(sentences, all - told, what);
}

}  // namespace

Troubles troubles(const Run& run, const cuda::ProgramRun* program, const std::vector<std::string>& why) {
  const Report& r = run.report;
  const DataflowGraph& flow = r.flow;
  Troubles t;

  size_t hazards = 0;
  for (const Hazard& h : flow.hazards) {
    if (h.alike < 0 || ++hazards > most_of_a_kind) continue;
    t.sentences.push_back(h.sentence);
    if (h.alike > 0) t.sentences.push_back(more_like(h));
  }
  tell_rest(t.sentences, hazards - std::min(hazards, most_of_a_kind), "like this");
  if (flow.hazards_found && !hazards) t.sentences.push_back("two threads touch a cell unordered");

  std::vector<std::string> findings;
  for (const Finding& f : findings_of(run)) findings.push_back(f.text);
  tell(t.sentences, findings, findings.size(), "findings");

  std::vector<std::string> mistakes = program ? mistakes_of(*program) : std::vector<std::string>();
  const std::string exit = program ? exit_of(*program) : "";
  if (!exit.empty()) mistakes.pop_back();
  tell(t.sentences, mistakes, mistakes.size(), "mistakes");

  const std::string stop = program ? stop_of(*program) : "";
  if (!stop.empty()) t.sentences.push_back(stop);

  const bool explained = !t.sentences.empty();
  const bool wrong = stop.empty() && !r.correct && !run.trace.expected.empty();
  const bool unproved = r.proof().applies && !r.proof().holds;
  const Coverage covered = coverage(run.trace, flow);
  if (wrong || unproved)  // what is read twice or not written explains it, and is no failure by itself
    t.sentences.insert(t.sentences.end(), covered.sentences.begin(), covered.sentences.end());
  else if (!covered.whole())
    t.sentences.push_back(covered.sentences.front());
  if (wrong) t.sentences.push_back("The result is wrong: " + first_difference(run) + ".");
  // A finding, or an input that no thread reads, may be why there is no proof; then it is reported already.
  if (unproved && !explained && covered.sentences.empty()) t.sentences.push_back(r.proof().sentence);
  if (!flow.snapshots_match) t.sentences.push_back("The replay differs from the real memory.");
  if (!exit.empty() && t.sentences.empty()) t.sentences = why;
  const bool other = !t.sentences.empty();
  if (!exit.empty()) t.sentences.push_back(exit);

  t.word = flow.hazards_found                                                ? "race"
           : !findings.empty() || !mistakes.empty() || !flow.snapshots_match ? "fault"
           : other                                                           ? "wrong"
           : !exit.empty()                                                   ? "fault"
                                                                             : "";
  if (const Algorithm* a = algorithm_of(run.trace.kernel)) t.fix = a->fix;
  return t;
}

}  // namespace bscope
