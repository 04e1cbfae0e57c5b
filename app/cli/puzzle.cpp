#include "app/cli/puzzle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include "app/assignments/assignment.hpp"
#include "app/assignments/judge.hpp"
#include "app/assignments/puzzle.hpp"
#include "app/cli/assignment_report.hpp"
#include "app/cli/console.hpp"
#include "app/cli/lines.hpp"
#include "app/lessons/puzzle_progress.hpp"
#include "app/run/target.hpp"
#include "app/session/settings.hpp"
#include "engine/cuda/toolchain/items.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

constexpr size_t largest_puzzle = 1 << 16;  // bytes of a student's file
constexpr int columns = 100;

std::string puzzle_text(const std::string& file) { return as_text(read_file(file, largest_puzzle), file); }

LessonState kept_state() {
  LessonState s;
  s.progress = read_settings(settings_path()).lesson_progress;
  return s;
}

/// Counts one more try, where there is a place to keep it. Returns how it stands then.
template <class Count>
PuzzleProgress count_try(const Assignment& a, Count with) {
  const LessonState now = with(kept_state());
  if (const std::string path = settings_path(); !path.empty()) {
    Settings s = read_settings(path);
    if (s.lesson_progress != now.progress) {
      s.lesson_progress = now.progress;
      write_settings(s, path);
    }
  }
  return progress_of(now, a);
}

/// The hints that were earned, and how to read the solution once it is in reach.
std::string help_text(const Assignment& a, const PuzzleProgress& p) {
  std::string text;
  for (size_t k = 0; k < hints_given(a, p.failed); ++k)
    text += wrapped(fmt::format("hint {} of {}: {}", k + 1, a.hints.size(), a.hints[k]), columns, "");
  if (p.may_see_solution() && !a.solution.empty() && !a.series.empty())
    text += fmt::format("solution: barrierscope new {} --solution\n", a.name);
  return text;
}

std::string tries_text(const PuzzleProgress& p) {
  return p.failed ? count(p.failed, "try has", "tries have") + " failed\n" : "";
}

/// What is said while the line is to be found: which runs fail, and nothing of where.
std::string question_text(const Assignment& a, const Grade& g, const PuzzleProgress& p,
                          const std::string& file, Ink ink) {
  std::string s = ink(Role::title, a.title) + "  " + file + "\n" + wrapped(a.task, columns, "  ") + "\n";
  std::vector<std::string> failing;
  for (size_t k = 0; k < a.runs.size(); ++k)
    if (std::ranges::any_of(g.judgements, [&](const Judgement& j) {
          return j.runs.size() == a.runs.size() && !j.runs[k].passed;
        }))
      failing.push_back(a.runs[k].name);
  const std::string fail = ink(Role::race, "FAIL  ");
  for (const Judgement& j : g.judgements)
    if (j.id == "given" && !j.passed())
      s += fail + j.asked.english() + ": " + j.runs[0].seen.english() + "\n";
  if (!failing.empty()) {
    s += fail + fmt::format("{} of {} runs:", failing.size(), a.runs.size());
    for (const std::string& run : failing) s += (run == failing.front() ? " " : "; ") + run;
    s += "\n";
  }
  s += fmt::format("\nWhich line is wrong? barrierscope check {} --line NUMBER\n", file);
  return s + tries_text(p);
}

}  // namespace

PuzzleProgress kept_progress(const Assignment& a) { return progress_of(kept_state(), a); }

std::shared_ptr<const Assignment> puzzle_begun_by(const std::string& file) {
  if (!cuda::is_cuda_source(file)) return {};
  try {
    auto a = assignment_begun_by(puzzle_text(file));
    return a && a->is_puzzle() ? a : nullptr;
  } catch (const BadFile&) { return {}; }  // it is reported where the file is opened
}

int answer_line(const Assignment& a, const std::string& file, int line, Console& c) {
  const std::string text = puzzle_text(file);
  const std::optional<bool> right = names_wrong_line(a, text, line);
  if (!right)
    throw UsageError(
        message("line {} of {} is not as it was given: name a line that is", std::to_string(line), file));
  const PuzzleProgress p =
      count_try(a, [&](LessonState s) { return with_line_named(std::move(s), a, *right); });
  const std::string at = fmt::format("line {}: {}", line, line_of(text, line));
  if (*right) {
    c.out << c.ink()(Role::thread, "yes   ") << at << "\n\n"
          << fmt::format("Now repair it: barrierscope check {}\n", file);
    return 0;
  }
  c.out << c.ink()(Role::race, "no    ") << at << "\n\n" << tries_text(p) << help_text(a, p);
  return 1;
}

int judge_puzzle(const Assignment& a, const Target& t, Console& c) {
  const Grade g = judge(a, t);
  const std::string text = puzzle_text(t.file);
  // the solution as it was given is none of the student's; a changed comment is no try
  const bool own = a.solution.empty() || text != as_text(read_file(a.solution, largest_puzzle), "");
  const bool changed = cuda::first_change(a.given, text, {}).has_value();
  PuzzleProgress p = kept_progress(a);
  if (changed && own)
    p = count_try(a, [&](LessonState s) { return with_repair_judged(std::move(s), a, g.passed()); });
  if (g.passed() || p.may_see_fault())
    c.out << grade_text(a, g, t.file, c.ink());
  else
    c.out << question_text(a, g, p, t.file, c.ink());
  if (!g.passed()) c.out << help_text(a, p);
  return g.passed() ? 0 : 1;
}

}  // namespace bscope
