#include "app/run/troubles.hpp"

#include <algorithm>

#include "app/run/finding_groups.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run.hpp"
#include "app/run/verdict.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {

namespace {
constexpr const char* not_judged = "not judged";
}

const char* word_of(const FindingGroup& g) {
  if (g.severity == Severity::warning) return not_judged;  // a limit of ours ended the launch
  switch (g.rule) {
    case Rule::race: return "race";
    case Rule::unread_input:
    case Rule::input_read_twice:
    case Rule::unwritten_output:
    case Rule::wrong_result:
    case Rule::unproved: return "wrong";
    default: return "fault";
  }
}

namespace {

/// A kernel's findings name their lines; what the host code did wrong is named by file and line.
Message with_place(const FindingGroup& g) {
  const bool of_host = g.rule == Rule::cuda_call || g.rule == Rule::program_end || g.rule == Rule::compiler;
  return of_host && g.at.line ? message("{}:{}: {}", g.at.file, g.at.line, g.sentences()) : g.sentences();
}

}  // namespace

Troubles troubles(const Run& run, const cuda::ProgramRun* program, const std::vector<Message>& why) {
  return troubles_of(run, program, finding_groups(run, program, why));
}

Troubles troubles_of(const Run& run, const cuda::ProgramRun* program,
                     const std::vector<FindingGroup>& groups) {
  constexpr size_t most = 3;
  Troubles t;
  const auto add = [&](const Message& m) {
    if (!m.empty() && std::ranges::find(t.messages, m) == t.messages.end()) t.messages.push_back(m);
  };
  for (size_t k = 0; k < std::min(most, groups.size()); ++k) {
    add(with_place(groups[k]));
    add(groups[k].extent);
    for (const FindingNote& note : groups[k].notes)
      if (!note.at.line) add(note.message);
  }
  if (groups.size() > most) add(message("And {} more findings.", groups.size() - most));
  if (program)
    for (const Message& m : {stop_of(*program), unseen_kernels(*program)}) {
      add(m);
      if (!m.empty()) t.not_judged.push_back(m);
    }
  for (const FindingGroup& g : groups)
    for (const FindingGroup& c : g.consequences) add(with_place(c));
  if (!t.messages.empty()) t.word = groups.empty() ? not_judged : word_of(groups.front());
  if (const Algorithm* a = algorithm_of(run.trace.kernel)) t.fix = a->fix;
  return t;
}

Message heading_of_finding(const std::string& word, int at, size_t all) {
  const Message alone(word, {});
  if (all <= 1) return alone;
  return at < 0 ? message("{}, {} more", alone, all - 1) : message("{} {}/{}", alone, at + 1, all);
}

}  // namespace bscope
