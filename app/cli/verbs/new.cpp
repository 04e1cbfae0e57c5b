// Something to begin with: a template, an assignment's starting file, or the CUDA program of a kernel.
#include <fmt/core.h>

#include <filesystem>
#include <ostream>

#include "app/assignments/assignment.hpp"
#include "app/cli/console.hpp"
#include "app/cli/lines.hpp"
#include "app/cli/puzzle.hpp"
#include "app/cli/verb.hpp"
#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "app/run/cuda_text.hpp"
#include "app/session/templates.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/edit_distance.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

struct NewArguments {
  std::vector<std::string> words;
  PuzzleWishes puzzle;
  RunOptions run;  ///< sizes of a kernel's program
};

/// What can be begun with.
struct ProgramStart {
  enum StartKind : uint8_t { program_template, assignment, kernel };
  std::string name, title, task, text;
  StartKind kind = program_template;
};

std::vector<ProgramStart> beginnings() {
  std::vector<ProgramStart> all;
  for (ProgramTemplate& p : program_templates())
    all.push_back({p.name, std::move(p.title), "", std::move(p.text)});
  for (const KnownAssignment& known : known_assignments()) {
    if (!known.series.empty()) continue;  // begin_puzzle() knows them
    Assignment a = read_assignment(known.file);
    all.push_back(
        {known.name, std::move(a.title), std::move(a.task), std::move(a.given), ProgramStart::assignment});
  }
  for (const CudaText& kernel : cuda_texts())
    all.push_back(
        {kernel.kernel, find(kernel.kernel).title, "", std::string(kernel.text), ProgramStart::kernel});
  return all;
}

int list_beginnings(const std::vector<ProgramStart>& all, Console& c) {
  for (const auto& [kind, heading] : {std::pair{ProgramStart::program_template, tr("templates")},
                                      {ProgramStart::assignment, tr("assignments")},
                                      {ProgramStart::kernel, tr("kernels of the catalog, in CUDA")}}) {
    c.out << c.ink()(Role::title, heading) << "\n";
    for (const ProgramStart& b : all)
      if (b.kind == kind) c.out << fmt::format("  {:<27}  {}\n", b.name, tr(b.title));
  }
  list_puzzles(c);
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
  if (begin_puzzle(a.words, a.puzzle, c)) return 0;
  const ProgramStart& b = named(all, a.words.front());
  if (a.run.given && b.kind != ProgramStart::kernel)
    throw UsageError(
        message("{} is for the CUDA program of a kernel, and {} is none", a.run.input_given, b.name));
  const std::string text = b.kind == ProgramStart::kernel ? sized_program(b, a.run) : b.text;
  const std::string file = a.words.size() > 1 ? a.words[1] : b.name.substr(b.name.find('/') + 1) + ".cu";
  if (!cuda::is_cuda_source(file))
    throw UsageError(message("{} is no name for a CUDA file: let it end in .cu", file));
  std::error_code none;
  if (std::filesystem::exists(file, none))
    throw UsageError(message("{} is there already: name another file behind {}", file, b.name));
  write_whole(file, text);
  c.out << tr("Written: {}", file) << "\n";
  if (!b.task.empty()) c.out << "\n" << wrapped(tr(b.task), 100, "") << "\n";
  c.out << "  barrierscope " << file << "\n";
  if (b.kind == ProgramStart::assignment)
    c.out << "  barrierscope check " << file << " --assignment " << b.name << "\n";
  return 0;
}

const RegisterVerb verb{{
    .name = "new",
    .what = "Write a CUDA file to begin with: a template, an assignment, puzzles, or a kernel of the catalog",
    .place = 7,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<NewArguments>();
      o.words("NAME [FILE.cu]", "What to begin with, and the file to write (default NAME.cu)", 2, a->words);
      puzzle_options(o, a->puzzle);
      o.group("Sizes of a kernel's program");
      size_options(o, a->run);
      return [a](Console& c, const Window&) { return begin(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
