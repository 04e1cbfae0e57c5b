// Something to begin with: a template, or an assignment's starting file.
#include <fmt/core.h>

#include <filesystem>
#include <ostream>

#include "app/assignments/assignment.hpp"
#include "app/cli/console.hpp"
#include "app/cli/lines.hpp"
#include "app/cli/verb.hpp"
#include "app/options/options.hpp"
#include "app/session/templates.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/edit_distance.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

struct NewArguments {
  std::vector<std::string> words;
};

/// What can be begun with.
struct ProgramStart {
  std::string name, title, task, text;
  bool judged = false;  ///< it is an assignment
};

std::vector<ProgramStart> beginnings() {
  std::vector<ProgramStart> all;
  for (ProgramTemplate& p : program_templates())
    all.push_back({p.name, std::move(p.title), "", std::move(p.text)});
  for (const KnownAssignment& known : known_assignments()) {
    Assignment a = read_assignment(known.file);
    all.push_back({known.name, std::move(a.title), std::move(a.task), std::move(a.given), true});
  }
  return all;
}

int list_beginnings(const std::vector<ProgramStart>& all, Console& c) {
  for (const bool judged : {false, true}) {
    c.out << c.ink()(Role::title, judged ? tr("assignments") : tr("templates")) << "\n";
    for (const ProgramStart& b : all)
      if (b.judged == judged) c.out << fmt::format("  {:<20}  {}\n", b.name, tr(b.title));
  }
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

int begin(const NewArguments& a, Console& c) {
  const std::vector<ProgramStart> all = beginnings();
  if (a.words.empty()) return list_beginnings(all, c);
  const ProgramStart& b = named(all, a.words.front());
  const std::string file = a.words.size() > 1 ? a.words[1] : b.name + ".cu";
  if (!cuda::is_cuda_source(file))
    throw UsageError(message("{} is no name for a CUDA file: let it end in .cu", file));
  std::error_code none;
  if (std::filesystem::exists(file, none))
    throw UsageError(message("{} is there already: name another file behind {}", file, b.name));
  write_whole(file, b.text);
  c.out << tr("Written: {}", file) << "\n";
  if (!b.task.empty()) c.out << "\n" << wrapped(tr(b.task), 100, "") << "\n";
  c.out << "  barrierscope " << file << "\n";
  if (b.judged) c.out << "  barrierscope check " << file << " --assignment " << b.name << "\n";
  return 0;
}

const RegisterVerb verb{{
    .name = "new",
    .what = "Write a CUDA file to begin with: a template, or an assignment",
    .place = 7,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<NewArguments>();
      o.words("NAME [FILE.cu]", "What to begin with, and the file to write (default NAME.cu)", 2, a->words);
      return [a](Console& c, const Window&) { return begin(*a, c); };
    },
}};

}  // namespace
}  // namespace bscope
