// Something to begin with: a template, an assignment's starting file, or a series of puzzles.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>

#include "app/assignments/assignment.hpp"
#include "app/assignments/assignment_file.hpp"
#include "app/assignments/puzzle.hpp"
#include "app/cli/console.hpp"
#include "app/cli/lines.hpp"
#include "app/cli/puzzle.hpp"
#include "app/cli/verb.hpp"
#include "app/lessons/puzzle_progress.hpp"
#include "app/options/options.hpp"
#include "app/run/run.hpp"
#include "app/session/templates.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/edit_distance.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

struct NewArguments {
  std::vector<std::string> words;
  bool solution = false;            ///< of a puzzle, in place of its starting file
  std::optional<uint64_t> shuffle;  ///< a seed: a series in another order
};

/// What can be begun with.
struct ProgramStart {
  std::string name, title, task, text;
  std::shared_ptr<const Assignment> assignment = {};  ///< null: it is a template
};

std::vector<ProgramStart> beginnings() {
  std::vector<ProgramStart> all;
  for (ProgramTemplate& p : program_templates())
    all.push_back({p.name, std::move(p.title), "", std::move(p.text)});
  for (const auto& a : built_in_assignments()) all.push_back({a->name, a->title, a->task, a->given, a});
  return all;
}

bool is_puzzle(const ProgramStart& b) { return b.assignment && b.assignment->is_puzzle(); }

/// From easy to hard, with what the user has done of them.
void list_puzzles(const std::vector<ProgramStart>& all, Console& c) {
  std::set<std::string> headed;
  for (const ProgramStart& b : all) {
    if (!is_puzzle(b)) continue;
    const Assignment& a = *b.assignment;
    if (headed.insert(a.series).second)
      c.out << c.ink()(Role::title, tr(a.series)) << "  "
            << tr("from easy (1) to hard ({}): find the line, and repair it", hardest_level) << "\n";
    const PuzzleProgress p = kept_progress(a);
    const std::string done = p.solved   ? tr("solved")
                             : p.found  ? tr("line found")
                             : p.failed ? tr_count(p.failed, "{} try", "{} tries")
                                        : std::string();
    c.out << fmt::format("  {:<20}  {}  {}{}\n", b.name, a.level, tr(b.title),
                         done.empty() ? "" : ", " + done);
  }
}

int list_beginnings(const std::vector<ProgramStart>& all, Console& c) {
  for (const bool judged : {false, true}) {
    c.out << c.ink()(Role::title, judged ? tr("assignments") : tr("templates")) << "\n";
    for (const ProgramStart& b : all)
      if (bool(b.assignment) == judged && !is_puzzle(b))
        c.out << fmt::format("  {:<20}  {}\n", b.name, tr(b.title));
  }
  list_puzzles(all, c);
  c.out << tr("Write one with `barrierscope new NAME`.") << "\n";
  return 0;
}

const ProgramStart& named(const std::vector<ProgramStart>& all, const std::string& name) {
  std::vector<std::string> names;
  for (const ProgramStart& b : all) {
    if (b.name == name) return b;
    names.push_back(b.name);
  }
  if (const std::string meant = nearest_name(name, names); !meant.empty())
    throw UsageError(
        message("there is nothing to begin with that is called {}: did you mean {}?", name, meant));
  throw UsageError(message(
      "there is nothing to begin with that is called {}: `barrierscope new` lists what there is", name));
}

void show_puzzle_verbs(const std::string& file, Console& c) {
  for (const char* const more : {" --line N", ""}) c.out << "  barrierscope check " << file << more << "\n";
}

/// The puzzles of a series, a file each, whose names do not give them away.
int begin_series(const NewArguments& a, const std::vector<std::shared_ptr<const Assignment>>& puzzles,
                 Console& c) {
  namespace fs = std::filesystem;
  const fs::path folder = a.words.size() > 1 ? a.words[1] : a.words[0];
  std::vector<fs::path> files;
  for (size_t k = 1; k <= puzzles.size(); ++k) {
    files.push_back(folder / fmt::format("{:02}.cu", k));
    std::error_code none;
    if (fs::exists(files.back(), none))
      throw UsageError(
          message("{} is there already: name another folder behind {}", files.back().string(), a.words[0]));
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw SystemError(message("cannot write {}", folder.string()), error);
  std::vector<size_t> order = shuffled_order(puzzles.size(), a.shuffle.value_or(0));
  if (!a.shuffle) std::ranges::sort(order);
  for (size_t k = 0; k < files.size(); ++k) write_whole(files[k], start_under_its_task(*puzzles[order[k]]));
  c.out << tr("Written: {} to {}", files.front().string(), files.back().string()) << "\n";
  show_puzzle_verbs(files.front().string(), c);
  return 0;
}

/// The solution of a puzzle, once its tries have failed.
std::string earned_solution(const ProgramStart& b) {
  if (!b.assignment || b.assignment->solution.empty())
    throw UsageError(message("{} has no solution to show", b.name));
  const PuzzleProgress p = kept_progress(*b.assignment);
  if (is_puzzle(b) && !p.may_see_solution())
    throw UsageError(message("the solution of {} is there after {} tries that failed: so far there are {}",
                             b.name, tries_before_solution, p.failed));
  constexpr size_t largest = 1 << 20;
  return as_text(read_file(b.assignment->solution, largest), b.assignment->solution.string());
}

uint64_t seed_of(const std::string& name, const std::string& typed) {
  const auto seed = as_whole(typed);
  if (!seed || *seed < 0) throw UsageError(message("{} {} is no whole number from 0", name, typed));
  return uint64_t(*seed);
}

int begin(const NewArguments& a, Console& c) {
  const std::vector<ProgramStart> all = beginnings();
  if (a.words.empty()) return list_beginnings(all, c);
  if (const auto puzzles = puzzles_of(a.words.front()); !puzzles.empty() && !a.solution)
    return begin_series(a, puzzles, c);
  if (a.shuffle) throw UsageError(message("--shuffle is for a series: {} is one program", a.words.front()));
  ProgramStart b = named(all, a.words.front());
  if (a.solution) b.text = earned_solution(b);
  const std::string file = a.words.size() > 1 ? a.words[1] : b.name + (a.solution ? "-solution.cu" : ".cu");
  if (!cuda::is_cuda_source(file))
    throw UsageError(message("{} is no name for a CUDA file: let it end in .cu", file));
  std::error_code none;
  if (std::filesystem::exists(file, none))
    throw UsageError(message("{} is there already: name another file behind {}", file, b.name));
  write_whole(file, b.text);
  c.out << tr("Written: {}", file) << "\n";
  if (a.solution) return 0;
  if (!b.task.empty()) c.out << "\n" << wrapped(tr(b.task), 100, "") << "\n";
  c.out << "  barrierscope " << file << "\n";
  if (is_puzzle(b))
    show_puzzle_verbs(file, c);
  else if (b.assignment)
    c.out << "  barrierscope check " << file << " --assignment " << b.name << "\n";
  return 0;
}

const RegisterVerb verb{{
    .name = "new",
    .what = "Write a CUDA file to begin with: a template, an assignment, or puzzles",
    .place = 7,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<NewArguments>();
      o.words("NAME [FILE.cu]",
              "What to begin with, and the file to write (default NAME.cu); of a series the folder", 2,
              a->words);
      o.option("--shuffle", "SEED", "Write a series of puzzles in another order, the same for the same seed",
               a->shuffle, seed_of);
      o.flag("--solution", "Write a puzzle's solution, after two tries that failed", a->solution);
      return [a](Console& c, const Window&) { return begin(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
