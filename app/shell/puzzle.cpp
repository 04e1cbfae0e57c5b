#include "app/shell/puzzle.hpp"

#include <imgui.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/assignments/assignment.hpp"
#include "app/assignments/assignment_file.hpp"
#include "app/assignments/puzzle.hpp"
#include "app/draw/theme.hpp"
#include "app/lessons/puzzle_progress.hpp"
#include "app/run/own_program.hpp"
#include "app/session/state.hpp"
#include "app/shell/palette.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/watch/editor.hpp"
#include "app/shell/widgets.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/cuda/toolchain/items.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// By the program's file.
struct PuzzlePanel {
  std::map<std::string, std::string> judged;    ///< the text that was judged last
  std::map<std::string, std::string> answered;  ///< what was said to the line that was named last
};

std::string solution_of(const Assignment& a) {
  constexpr size_t largest = 1 << 20;
  return as_text(read_file(a.solution, largest), a.solution.string());
}

/// The solution as it was given is none of the student's, and a changed comment is no try.
bool is_a_try(const Assignment& a, const std::string& text) {
  if (!cuda::first_change(a.given, text, {})) return false;
  try {
    return a.solution.empty() || text != solution_of(a);
  } catch (const BadFile&) { return true; }
}

/// A line of a text that the user has chosen.
struct ChosenLine {
  int line = 0;  ///< 0: none
  std::string text;
};
/// In the editor where its cursor is, in the source the line that was clicked.
ChosenLine chosen_line(const View& v) {
  if (edits_program(v.ui)) return {line_in_editor(v.ui), text_in_editor(v.ui)};
  const auto& sources = v.state.run->trace.sources;
  return {v.state.cursor.line, sources.empty() ? std::string() : sources.front().text};
}

void ask_for_line(View& v, const Assignment& a) {
  const Theme& t = v.theme;
  std::string& answer = v.ui.of<PuzzlePanel>().answered[v.state.target.file];
  const ChosenLine chosen = chosen_line(v);
  write(tr("Which line is wrong? Click it, then say so here."), t.ink);
  ImGui::BeginDisabled(chosen.line == 0);
  const std::string words = chosen.line ? tr("It is line {}", chosen.line) : tr("No line is chosen");
  if (ImGui::Button((words + "###wrong line").c_str())) {
    const std::optional<bool> right = names_wrong_line(a, chosen.text, chosen.line);
    answer = !right   ? tr("Line {} is not as it was given: name one that is.", chosen.line)
             : *right ? tr("Line {} is the wrong one. Now repair it.", chosen.line)
                      : tr("Line {} is not the wrong one.", chosen.line);
    if (right) v.state.lesson = with_line_named(std::move(v.state.lesson), a, *right);
  }
  ImGui::EndDisabled();
}

/// Each puzzle as a line of the palette.
std::vector<PaletteItem> puzzle_items(const LoadedState& s, UiState&) {
  std::vector<PaletteItem> all;
  if (!compiles_programs) return all;
  std::map<std::string, int> numbers;
  for (const auto& a : built_in_assignments()) {
    if (!a->is_puzzle()) continue;
    const PuzzleProgress p = progress_of(s.lesson, *a);
    const std::string level = tr("level {} of {}", a->level, hardest_level);
    all.push_back({.group = tr("Puzzles: find the line, repair it"),
                   .title = tr("Puzzle {}: {}", ++numbers[a->series], tr(a->title)),
                   .also = "program.puzzle." + a->name + " " + a->title,
                   .detail = p.solved ? tr("{}, {}", level, tr("solved")) : level,
                   .keys = {},
                   .run = [a](LoadedState& now, UiState& ui) { begin_program(now, ui, a->name, a->given); }});
  }
  return all;
}
const RegisterPalette puzzle_rows{puzzle_items};

}  // namespace

void follow_puzzle(View& v, const std::shared_ptr<const Assignment>& begun, std::optional<bool> passed) {
  LessonState& lesson = v.state.lesson;
  lesson.line_asked = false;
  if (!begun || !begun->is_puzzle()) return;
  if (passed && v.state.program) {
    std::string& before = v.ui.of<PuzzlePanel>().judged[v.state.target.file];
    if (const std::string& text = v.state.program->text; before != text) {
      before = text;
      if (is_a_try(*begun, text)) lesson = with_repair_judged(std::move(lesson), *begun, *passed);
    }
  }
  lesson.line_asked = !passed.value_or(false) && !progress_of(lesson, *begun).may_see_fault();
}

bool show_puzzle(View& v, const Assignment& a) {
  const Theme& t = v.theme;
  PuzzleProgress p = progress_of(v.state.lesson, a);
  if (!p.found && !p.solved) ask_for_line(v, a);
  p = progress_of(v.state.lesson, a);
  if (const std::string& answer = v.ui.of<PuzzlePanel>().answered[v.state.target.file]; !answer.empty())
    write(answer, p.found ? t.thread : t.race);
  if (p.failed && !p.solved) write(tr_count(p.failed, "{} try has failed.", "{} tries have failed."), t.ink2);
  if (!p.solved)
    for (size_t k = 0; k < hints_given(a, p.failed); ++k)
      write(tr("Hint {} of {}: {}", k + 1, a.hints.size(), tr(a.hints[k])), t.barrier);
  if (p.may_see_solution() && !a.solution.empty() &&
      ImGui::Button((tr("Open the solution") + "###solution").c_str()))
    try {
      begin_program(v.state, v.ui, a.name + "-solution", solution_of(a));
    } catch (const BadFile& e) { refuse(v.state, e, Where::file); }
  return !v.state.lesson.line_asked;
}

}  // namespace bscope
