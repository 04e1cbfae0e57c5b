#include "app/cli/puzzle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

#include "app/assignments/assignment.hpp"
#include "app/assignments/assignment_file.hpp"
#include "app/assignments/judge.hpp"
#include "app/assignments/puzzle.hpp"
#include "app/cli/assignment_report.hpp"
#include "app/cli/console.hpp"
#include "app/cli/lines.hpp"
#include "app/lessons/puzzle_progress.hpp"
#include "app/options/options.hpp"
#include "app/run/run.hpp"
#include "app/run/target.hpp"
#include "app/session/settings.hpp"
#include "app/words/words.hpp"
#include "engine/cuda/toolchain/items.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/source_line.hpp"
#include "engine/trace/whole_file.hpp"

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

PuzzleProgress kept_progress(const Assignment& a) { return progress_of(kept_state(), a); }

void show_puzzle_verbs(const std::string& file, Console& c) {
  for (const char* const more : {" --line N", ""}) c.out << "  barrierscope check " << file << more << "\n";
}

void need_new(const std::filesystem::path& file, const std::string& behind) {
  std::error_code none;
  if (std::filesystem::exists(file, none))
    throw UsageError(message("{} is there already: name another file behind {}", file.string(), behind));
}

void begin_series(const std::vector<std::shared_ptr<const Assignment>>& puzzles, const std::string& folder,
                  std::optional<uint64_t> seed, Console& c) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (size_t k = 1; k <= puzzles.size(); ++k) {
    files.push_back(fs::path(folder) / fmt::format("{:02}.cu", k));
    need_new(files.back(), puzzles.front()->series);
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw SystemError(message("cannot write {}", folder), error);
  std::vector<size_t> order = shuffled_order(puzzles.size(), seed.value_or(0));
  if (!seed) std::ranges::sort(order);
  for (size_t k = 0; k < files.size(); ++k) write_whole(files[k], start_under_its_task(*puzzles[order[k]]));
  c.out << tr("Written: {} to {}", files.front().string(), files.back().string()) << "\n";
  show_puzzle_verbs(files.front().string(), c);
}

std::string earned_solution(const Assignment& a) {
  const PuzzleProgress p = kept_progress(a);
  if (a.solution.empty()) throw UsageError(message("{} has no solution to show", a.name));
  if (!p.may_see_solution())
    throw UsageError(message("the solution of {} is there after {} tries that failed: so far there are {}",
                             a.name, tries_before_solution, p.failed));
  return as_text(read_file(a.solution, largest_puzzle), a.solution.string());
}

uint64_t seed_of(const std::string& name, const std::string& typed) {
  const auto seed = as_whole(typed);
  if (!seed || *seed < 0) throw UsageError(message("{} {} is no whole number from 0", name, typed));
  return uint64_t(*seed);
}

}  // namespace

void puzzle_options(Options& o, PuzzleWishes& wishes) {
  o.option("--shuffle", "SEED", "Write a series of puzzles in another order, the same for the same seed",
           wishes.shuffle, seed_of);
  o.flag("--solution", "Write a puzzle's solution, after two tries that failed", wishes.solution);
}

void list_puzzles(Console& c) {
  std::set<std::string> headed;
  for (const auto& a : built_in_assignments()) {
    if (!a->is_puzzle()) continue;
    if (headed.insert(a->series).second)
      c.out << c.ink()(Role::title, tr(a->series)) << "  "
            << tr("from easy (1) to hard ({}): find the line, and repair it", hardest_level) << "\n";
    const PuzzleProgress p = kept_progress(*a);
    const std::string done = p.solved   ? tr("solved")
                             : p.found  ? tr("line found")
                             : p.failed ? tr_count(p.failed, "{} try", "{} tries")
                                        : std::string();
    c.out << fmt::format("  {:<20}  {}  {}{}\n", a->name, a->level, tr(a->title),
                         done.empty() ? "" : ", " + done);
  }
}

bool begin_puzzle(const std::vector<std::string>& words, const PuzzleWishes& wishes, Console& c) {
  const std::string& name = words.front();
  const auto puzzles = puzzles_of(name);
  if (!puzzles.empty() && !wishes.solution) {
    begin_series(puzzles, words.size() > 1 ? words[1] : name, wishes.shuffle, c);
    return true;
  }
  if (wishes.shuffle) throw UsageError(message("--shuffle is for a series: {} is one program", name));
  const auto& all = built_in_assignments();
  const auto found =
      std::ranges::find_if(all, [&](const auto& a) { return a->is_puzzle() && a->name == name; });
  if (found == all.end()) {
    if (wishes.solution) throw UsageError(message("{} has no solution to show", name));
    return false;
  }
  const Assignment& a = **found;
  const std::string text = wishes.solution ? earned_solution(a) : a.given;
  const std::string file = words.size() > 1 ? words[1] : name + (wishes.solution ? "-solution.cu" : ".cu");
  if (!cuda::is_cuda_source(file))
    throw UsageError(message("{} is no name for a CUDA file: let it end in .cu", file));
  need_new(file, name);
  write_whole(file, text);
  c.out << tr("Written: {}", file) << "\n";
  if (wishes.solution) return true;
  c.out << "\n" << wrapped(tr(a.task), columns, "") << "\n  barrierscope " << file << "\n";
  show_puzzle_verbs(file, c);
  return true;
}

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
