#include "app/run/troubles.hpp"

#include <algorithm>

#include "app/run/own_program.hpp"
#include "app/run/run.hpp"
#include "app/run/verdict.hpp"
#include "engine/analysis/hazards.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/unread.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {
namespace {

constexpr size_t most_of_a_kind = 2;

/// Adds the first few different ones. Returns how many are left of all.
size_t tell(std::vector<Message>& told, const std::vector<Message>& all) {
  size_t added = 0;
  for (const Message& m : all) {
    if (added == most_of_a_kind) break;
    if (std::ranges::find(told, m) != told.end()) continue;
    told.push_back(m);
    ++added;
  }
  return all.size() - added;
}

}  // namespace

Troubles troubles(const Run& run, const cuda::ProgramRun* program, const std::vector<Message>& why) {
  const Report& r = run.report;
  const DataflowGraph& flow = r.flow;
  Troubles t;

  size_t hazards = 0;
  for (const Hazard& h : flow.hazards) {
    if (h.alike < 0 || ++hazards > most_of_a_kind) continue;
    t.messages.push_back(h.message);
    if (h.alike > 0) t.messages.push_back(more_like(h));
  }
  if (hazards > most_of_a_kind)
    t.messages.push_back(message("And {} more like this.", hazards - most_of_a_kind));
  if (flow.hazards_found && !hazards) t.messages.push_back(message("two threads touch a cell unordered"));

  std::vector<Message> findings, mistakes;
  for (const Finding& f : findings_of(run)) findings.push_back(f.sentences());
  if (const size_t more = tell(t.messages, findings))
    t.messages.push_back(message("And {} more findings.", more));

  if (program) mistakes = mistakes_of(*program);
  const Message exit = program ? exit_of(*program) : Message();
  if (!exit.empty()) mistakes.pop_back();
  if (const size_t more = tell(t.messages, mistakes))
    t.messages.push_back(message("And {} more mistakes.", more));

  const Message stop = program ? stop_of(*program) : Message();
  if (!stop.empty()) t.messages.push_back(stop);

  const bool explained = !t.messages.empty();
  const bool wrong = stop.empty() && !r.correct && !run.trace.expected.empty();
  const bool unproved = r.proof().applies && !r.proof().holds;
  const Coverage covered = coverage(run.trace, flow);
  if (wrong || unproved)  // what is read twice or not written explains it, and is no failure by itself
    t.messages.insert(t.messages.end(), covered.messages.begin(), covered.messages.end());
  else if (!covered.whole())
    t.messages.push_back(covered.messages.front());
  if (wrong) t.messages.push_back(message("The result is wrong: {}.", first_difference(run)));
  // A finding, or an input that no thread reads, may be why there is no proof; then it is reported already.
  if (unproved && !explained && covered.messages.empty()) t.messages.push_back(r.proof().message);
  if (!flow.snapshots_match) t.messages.push_back(message("The replay differs from the real memory."));
  if (!exit.empty() && t.messages.empty()) t.messages.insert(t.messages.end(), why.begin(), why.end());
  const bool other = !t.messages.empty();
  if (!exit.empty()) t.messages.push_back(exit);

  t.word = flow.hazards_found                                                ? "race"
           : !findings.empty() || !mistakes.empty() || !flow.snapshots_match ? "fault"
           : other                                                           ? "wrong"
           : !exit.empty()                                                   ? "fault"
                                                                             : "";
  if (const Algorithm* a = algorithm_of(run.trace.kernel)) t.fix = a->fix;
  return t;
}

}  // namespace bscope
