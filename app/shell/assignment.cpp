#include "app/shell/assignment.hpp"

#include <imgui.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/assignments/assignment.hpp"
#include "app/assignments/judge.hpp"
#include "app/assignments/puzzle.hpp"
#include "app/draw/theme.hpp"
#include "app/run/assets.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run_store.hpp"
#include "app/run/target.hpp"
#include "app/session/state.hpp"
#include "app/shell/lesson.hpp"
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
  std::shared_ptr<const Run> of;               ///< the run that was looked at last
  AssignmentPtr assignment;                    ///< of its program; null: it began from none
  std::map<std::string, AssignmentPtr> began;  ///< what a program began from, by its file
  std::vector<AssignmentPtr> begun_here;       ///< that come from elsewhere than the program
  std::vector<Target> targets;                 ///< the runs that the program is judged by
  float share = 0;                             ///< of them that is made
  std::shared_ptr<const Judged> judged;
  std::set<std::string> hints_for;  ///< files whose hints were asked for
};

Target program_of(const LoadedState& s) {
  Target t;
  t.file = s.target.file;
  return t;
}

/// `runs`: those of `targets`.
std::shared_ptr<const Judged> judged(const Assignment& a, const Target& program,
                                     const std::vector<Target>& targets, const std::vector<RunResult>& runs) {
  auto j = std::make_shared<Judged>();
  try {
    j->grade = judge(a, program, [&](const Target& t) {
      return runs[size_t(std::ranges::find(targets, t) - targets.begin())].value();
    });
    for (OpenedRun& r : j->grade.runs) r = {};  // they are large, and not shown here
  } catch (const std::exception& e) { j->error = message_of(e); }
  return j;
}

/// Finds the assignment of a run that is new.
void find_assignment(const LoadedState& s, Grading& g, UiState& ui) {
  g.of = s.run;
  for (const Target& t : g.targets) ui.runs.forget(t);  // of an older text, or of another file
  g.targets.clear();
  g.judged = nullptr;
  g.assignment = nullptr;
  if (!s.target.is_program() || s.run->trace.sources.empty()) return;
  AssignmentPtr& began = g.began[s.target.file];
  if (!began) {
    std::vector<AssignmentPtr> others = assignments_of_course(ui);
    others.insert(others.end(), g.begun_here.begin(), g.begun_here.end());
    began = assignment_begun_by(s.run->trace.sources.front().text, others);
  }
  g.assignment = began;
  if (began) g.targets = targets_of(*began, program_of(s));
}

/// Asks for the runs that the open program is judged by, one after the other, and judges it when all are
/// there. Once it is judged, no frame asks for them any more, and the store drops them.
void look_at(const LoadedState& s, Grading& g, UiState& ui) {
  RunStore& runs = ui.runs;
  if (g.of != s.run && (!s.target.is_program() || offered_assets() == AssetState::here))
    find_assignment(s, g, ui);
  if (!g.assignment || g.judged) return;
  if (ui.dispatcher.waits()) {  // none is begun before what the user waits for
    for (const Target& t : g.targets)
      if (runs.loading(t)) runs.find(t);
    return;
  }
  std::vector<RunResult> made;
  for (const Target& t : g.targets) {
    std::optional<RunResult> run = runs.find(t);
    if (!run) {
      const auto loading = runs.loading(t);
      g.share = (float(made.size()) + (loading ? loading->share : 0)) / float(g.targets.size());
      return;
    }
    made.push_back(std::move(*run));
  }
  g.judged = judged(*g.assignment, program_of(s), g.targets, made);
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

void begin_assignment(LoadedState& s, UiState& ui, const AssignmentPtr& a, const std::string& name) {
  if (a->start.empty())
    return refuse(s,
                  message("this assignment has no file to begin with: write one, and `barrierscope check "
                          "FILE.cu --assignment {}` judges it",
                          a->name),
                  Where::file);
  auto& begun = ui.services.of<Grading>().begun_here;
  if (std::ranges::find(begun, a) == begun.end()) begun.push_back(a);
  begin_program(s, ui, name, a->given);
}

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
  look_at(v.state, g, v.ui);
  follow_puzzle(v, g.assignment, passed(g));
  if (!g.judged || !g.judged->error.empty()) return all;
  for (const char* id : {"hazards", "findings", "kernels", "result"})
    for (const Judgement& j : g.judged->grade.judgements)
      if (j.id == id && !j.passed()) all.push_back(j.runs[*j.failing()].seen);
  return all;
}

void list_of_assignment(View& v) {
  Grading& g = v.ui.services.of<Grading>();
  look_at(v.state, g, v.ui);
  if (!g.assignment) return;
  const Theme& t = v.theme;
  write(tr(g.assignment->title), t.ink);
  write(tr(g.assignment->task), t.ink2);
  ImGui::Spacing();
  const bool may_list = !g.assignment->is_puzzle() || show_puzzle(v, *g.assignment);
  if (!g.judged) return write(tr("It is being judged: {}%", int(100 * g.share)), t.ink2);
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
                   .run = [a](LoadedState& s, UiState& ui) { begin_assignment(s, ui, a, a->name); }});
  }
  return all;
}
const RegisterPalette assignment_rows{assignments};

}  // namespace
}  // namespace bscope
