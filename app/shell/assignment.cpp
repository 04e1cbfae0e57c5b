#include "app/shell/assignment.hpp"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "app/assignments/assignment.hpp"
#include "app/assignments/judge.hpp"
#include "app/assignments/puzzle.hpp"
#include "app/draw/theme.hpp"
#include "app/run/async_task.hpp"
#include "app/run/target.hpp"
#include "app/session/state.hpp"
#include "app/shell/palette.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/puzzle.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/watch/editor.hpp"
#include "app/shell/widgets.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {
namespace {

using AssignmentPtr = std::shared_ptr<const Assignment>;

/// Or why it cannot be judged.
struct Judged {
  Grade grade;
  Message error;
};

/// What is kept of it from frame to frame.
struct Grading {
  std::shared_ptr<const Run> of;                     ///< the run that was looked at last
  AssignmentPtr assignment;                          ///< of its program; null: it began from none
  std::map<std::string, AssignmentPtr> began;        ///< what a program began from, by its file
  AsyncTask<std::shared_ptr<const Judged>> judging;  ///< the program, as it is now
  std::shared_ptr<const Judged> judged;
  std::set<std::string> hints_for;  ///< files whose hints were asked for
};

std::shared_ptr<const Judged> judged(const Assignment& a, const Target& t) {
  auto j = std::make_shared<Judged>();
  try {
    j->grade = judge(a, t);
    for (OpenedRun& r : j->grade.runs) r = {};  // they are large, and not shown here
  } catch (const Cancelled&) { throw; } catch (const std::exception& e) {
    j->error = message_of(e);
  }
  return j;
}

/// Finds the assignment of a run that is new, and has it judged.
void look_at(const LoadedState& s, Grading& g, const std::function<void()>& wake) {
  if (const auto done = g.judging.take()) g.judged = *done;
  if (g.of == s.run) return;
  g.of = s.run;
  g.judging.forget();
  g.judged = nullptr;
  g.assignment = nullptr;
  if (s.run->trace.sources.empty()) return;
  AssignmentPtr& began = g.began[s.target.file];
  if (!began) began = assignment_begun_by(s.run->trace.sources.front().text);
  g.assignment = began;
  if (!began || programs_in_page) return;
  Target t;
  t.file = s.target.file;
  g.judging.start([a = g.assignment, t] { return judged(*a, t); }, wake);
  if (const auto done = g.judging.take()) g.judged = *done;  // without a wake callback it is there at once
}

void show_failing(const Theme& t, const Judgement& j, bool hints) {
  write(tr("not met: {}", tr(j.asked)), t.race);
  write(tr(j.runs[*j.failing()].seen), t.ink);
  if (hints && !j.hint.empty()) write(tr(j.hint), t.barrier);
}

/// A hint says most of the solution, so it is shown on request only.
bool shows_hints(Grading& g, const std::string& file) {
  if (g.hints_for.contains(file)) return true;
  const auto& asked = g.judged->grade.judgements;
  const auto has_hint = [](const Judgement& j) { return !j.passed() && !j.hint.empty(); };
  if (g.assignment->hint.empty() && std::ranges::none_of(asked, has_hint)) return false;
  if (!ImGui::Button((tr("Show the hint") + "###hint").c_str())) return false;
  g.hints_for.insert(file);
  return true;
}

/// How the open program was judged; nothing while that is not known.
std::optional<bool> passed(const Grading& g) {
  if (!g.judged || !g.judged->error.empty()) return {};
  return g.judged->grade.passed();
}

}  // namespace

std::optional<RequirementsMet> requirements_met(const UiState& ui) {
  const Grading& g = ui.services.of<Grading>();
  if (!g.judged || !g.judged->error.empty()) return {};
  const auto& all = g.judged->grade.judgements;
  return RequirementsMet{size_t(std::ranges::count_if(all, &Judgement::passed)), all.size()};
}

std::vector<Message> wrong_by_assignment(View& v) {
  std::vector<Message> all;
  if (!v.state.program) return follow_puzzle(v, {}, {}), all;
  Grading& g = v.ui.services.of<Grading>();
  look_at(v.state, g, v.ui.wake);
  follow_puzzle(v, g.assignment, passed(g));
  if (!g.judged || !g.judged->error.empty()) return all;
  for (const char* id : {"hazards", "findings", "kernels", "result"})
    for (const Judgement& j : g.judged->grade.judgements)
      if (j.id == id && !j.passed()) all.push_back(j.runs[*j.failing()].seen);
  return all;
}

void list_of_assignment(View& v) {
  Grading& g = v.ui.services.of<Grading>();
  look_at(v.state, g, v.ui.wake);
  if (!g.assignment) return;
  const Theme& t = v.theme;
  write(tr(g.assignment->title), t.ink);
  write(tr(g.assignment->task), t.ink2);
  ImGui::Spacing();
  const bool may_list = !g.assignment->is_puzzle() || show_puzzle(v, *g.assignment);
  if (programs_in_page)
    return write(
        tr("A page does not judge it. On a computer with Barrierscope: barrierscope check {} --assignment {}",
           std::filesystem::path(v.state.target.file).filename().string(),
           std::filesystem::path(g.assignment->file).parent_path().filename().string()),
        t.ink2);
  if (!g.judged) return write(tr("It is being judged ..."), t.ink2);
  if (!g.judged->error.empty()) return write(tr(g.judged->error), t.race);
  const RequirementsMet m = *requirements_met(v.ui);
  const bool all = m.met == m.of;
  write(all ? tr("All {} are met.", m.of) : tr("{} of {} are met.", m.met, m.of), all ? t.thread : t.race);
  const auto& asked = g.judged->grade.judgements;
  if (!may_list) return;
  const bool hints = !all && shows_hints(g, v.state.target.file);
  for (const Judgement& j : asked)
    if (!j.passed()) show_failing(t, j, hints);
  if (hints && !g.assignment->hint.empty()) write(tr(g.assignment->hint), t.barrier);
  for (const Judgement& j : asked)
    if (j.passed()) write(tr("met: {}", tr(j.asked)), t.ink2);
}

namespace {

/// Each assignment as a line of the palette.
std::vector<PaletteItem> assignments(const LoadedState&, UiState&) {
  std::vector<PaletteItem> all;
  if (!compiles_programs) return all;
  for (const auto& a : built_in_assignments()) {
    if (a->is_puzzle()) continue;
    all.push_back({.group = tr("Your own CUDA"),
                   .title = tr(a->title),
                   .also = "program.assignment." + a->name + " " + a->title,
                   .detail = tr("Assignment"),
                   .keys = {},
                   .run = [a](LoadedState& s, UiState& ui) { begin_program(s, ui, a->name, a->given); }});
  }
  return all;
}
const RegisterPalette assignment_rows{assignments};

}  // namespace
}  // namespace bscope
