// Something to begin with: a template, an assignment's starting file, a series of puzzles, or the CUDA
// program of a kernel.
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
#include "app/options/run_options.hpp"
#include "app/run/cuda_text.hpp"
#include "app/run/run.hpp"
#include "app/session/templates.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/edit_distance.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

struct NewArguments {
  std::vector<std::string> words;
  RunOptions run;                   ///< sizes of a kernel's program
  bool solution = false;            ///< of a puzzle, in place of its starting file
  std::optional<uint64_t> shuffle;  ///< a seed: a series in another order
};

/// What can be begun with.
struct ProgramStart {
  enum StartKind : uint8_t { program_template, assigned, kernel_program };
  std::string name, title, task, text;
  std::shared_ptr<const Assignment> assignment = {};  ///< null: it is a template
  StartKind kind = program_template;
};

std::vector<ProgramStart> beginnings() {
  std::vector<ProgramStart> all;
  for (ProgramTemplate& p : program_templates())
    all.push_back({p.name, std::move(p.title), "", std::move(p.text)});
  for (const auto& a : built_in_assignments())
    all.push_back({a->name, a->title, a->task, a->given, a, ProgramStart::assigned});
  for (const CudaText& kernel : cuda_texts())
    all.push_back({kernel.kernel,
                   find(kernel.kernel).title,
                   "",
                   std::string(kernel.text),
                   {},
                   ProgramStart::kernel_program});
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
    c.out << fmt::format("  {:<27}  {}  {}{}\n", b.name, a.level, tr(b.title),
                         done.empty() ? "" : ", " + done);
  }
}

int list_beginnings(const std::vector<ProgramStart>& all, Console& c) {
  for (const auto& [kind, heading] :
       {std::pair{ProgramStart::program_template, tr("templates")},
        {ProgramStart::assigned, tr("assignments")},
        {ProgramStart::kernel_program, tr("kernels of the catalog, in CUDA")}}) {
    c.out << c.ink()(Role::title, heading) << "\n";
    for (const ProgramStart& b : all)
      if (b.kind == kind && !is_puzzle(b)) c.out << fmt::format("  {:<27}  {}\n", b.name, tr(b.title));
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

/// The kernel's program with the sizes that were asked for.
std::string sized_program(const ProgramStart& b, const RunOptions& run) {
  const CudaText& text = *cuda_text_of(b.name);
  RunSpec request = run.request;
  request.kernel = b.name;
  make_problem(find(b.name), request);  // throws for what the kernel does not take
  ParameterValues values = request.set;
  if (request.n) values.emplace_back("n", std::to_string(*request.n));
  if (request.block) values.emplace_back("block", std::to_string(*request.block));
  if (const Message why = why_no_program(text, values); !why.empty())
    throw UsageError(message("{}: {}", b.name, why));
  return program_with(text, values);
}

int begin(const NewArguments& a, Console& c) {
  const std::vector<ProgramStart> all = beginnings();
  if (a.words.empty()) return list_beginnings(all, c);
  if (const auto puzzles = puzzles_of(a.words.front()); !puzzles.empty() && !a.solution)
    return begin_series(a, puzzles, c);
  if (a.shuffle) throw UsageError(message("--shuffle is for a series: {} is one program", a.words.front()));
  const ProgramStart& b = named(all, a.words.front());
  const bool is_kernel = b.kind == ProgramStart::kernel_program;
  if (a.run.given && !is_kernel)
    throw UsageError(
        message("{} is for the CUDA program of a kernel, and {} is none", a.run.input_given, b.name));
  const std::string text = a.solution ? earned_solution(b) : is_kernel ? sized_program(b, a.run) : b.text;
  const std::string own_name = b.name.substr(b.name.find('/') + 1) + (a.solution ? "-solution.cu" : ".cu");
  const std::string file = a.words.size() > 1 ? a.words[1] : own_name;
  if (!cuda::is_cuda_source(file))
    throw UsageError(message("{} is no name for a CUDA file: let it end in .cu", file));
  std::error_code none;
  if (std::filesystem::exists(file, none))
    throw UsageError(message("{} is there already: name another file behind {}", file, b.name));
  write_whole(file, text);
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
    .what = "Write a CUDA file to begin with: a template, an assignment, puzzles, or a kernel of the catalog",
    .place = 7,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<NewArguments>();
      o.words("NAME [FILE.cu]",
              "What to begin with, and the file to write (default NAME.cu); of a series the folder", 2,
              a->words);
      o.option("--shuffle", "SEED", "Write a series of puzzles in another order, the same for the same seed",
               a->shuffle, seed_of);
      o.flag("--solution", "Write a puzzle's solution, after two tries that failed", a->solution);
      o.group("Sizes of a kernel's program");
      size_options(o, a->run);
      return [a](Console& c, const Window&) { return begin(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
