// The programs that a Makefile builds.
#include "engine/cuda/toolchain/project/make_programs.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "engine/cuda/toolchain/project/build_line.hpp"
#include "engine/cuda/toolchain/project/makefile.hpp"
#include "engine/cuda/toolchain/project/shell_line.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int most_object_depth = 12;
constexpr size_t most_programs = 200, most_program_sources = 200, most_make_steps = 4000;

/// What the commands of one target do.
struct MadeBy {
  std::vector<BuildLine> lines;                         ///< calls of compilers
  std::vector<std::pair<std::string, Words>> archives;  ///< of `ar`: the archive, and the objects in it
  std::vector<ShellCommand> others;
};

/// "ar rcs libx.a a.o b.o"
std::optional<std::pair<std::string, Words>> archive_of(const ShellCommand& c) {
  const std::string name = fs::path(c.words.front()).filename().string();
  if (name != "ar" && !name.ends_with("-ar")) return {};
  std::pair<std::string, Words> found;
  for (const std::string& word : c.words) {
    const std::string path = (c.folder / word).lexically_normal().string();
    if (word.ends_with(".a") && found.first.empty())
      found.first = path;
    else if (word.ends_with(".o"))
      found.second.push_back(path);
  }
  if (found.first.empty()) return {};
  return found;
}

/// Follows objects to their sources.
class ProgramsOfMakefile {
 public:
  explicit ProgramsOfMakefile(Makefile& makefile) : make_(makefile) {}

  std::vector<ProjectProgram> read() {
    targets_ = make_.targets();
    add_new(targets_, make_.targets_of_patterns());
    for (const std::string& target : targets_) by_path_.try_emplace(whole(target), target);
    for (const std::string& target : targets_) {
      if (programs_.size() >= most_programs || steps_ > most_make_steps) break;
      for (const BuildLine& line : made_by(target).lines)
        if (line.makes == Makes::program && line.refused.empty()) add_program(target, line);
    }
    for (const std::string& target : targets_) find_arguments(target);
    return std::move(programs_);
  }

 private:
  std::string whole(const std::string& file) const {
    return (make_.folder() / file).lexically_normal().string();
  }

  const MadeBy& made_by(const std::string& target) {
    if (const auto known = made_.find(target); known != made_.end()) return known->second;
    MadeBy m;
    ++steps_;
    for (const std::string& text : make_.step(target).recipe)
      for (ShellCommand& c : shell_commands(text, make_.folder())) {
        if (is_compiler(c.words.front()))
          m.lines.push_back(build_line({c.words.begin() + 1, c.words.end()}, c.folder));
        else if (auto archive = archive_of(c))
          m.archives.push_back(std::move(*archive));
        else
          m.others.push_back(std::move(c));
      }
    return made_.emplace(target, std::move(m)).first->second;
  }

  /// The target for a path, as rules name it.
  std::string target_of(const std::string& path) const {
    const auto known = by_path_.find(path);
    if (known != by_path_.end()) return known->second;
    const fs::path from = fs::path(path).lexically_relative(make_.folder());
    return from.empty() ? path : from.string();
  }

  void add_program(const std::string& target, const BuildLine& line) {
    ProjectProgram p;
    p.name = fs::path(line.output).filename().string();
    if (p.name == "a.out") p.name = fs::path(target).filename().string();
    p.folder = make_.folder();
    seen_.clear();
    for (const BuildLine& other : made_by(target).lines)  // code of no source of its own
      if (other.makes == Makes::device_link) seen_.insert(other.output);
    take_line(p, line, 0);
    const bool known = std::ranges::any_of(
        programs_, [&](const ProjectProgram& k) { return k.name == p.name && k.files == p.files; });
    if (p.files.empty() || known) return;
    outputs_[line.output] = programs_.size();
    programs_.push_back(std::move(p));
  }

  void take_line(ProjectProgram& p, const BuildLine& line, int depth) {
    for (const std::string& s : line.sources)
      if (p.files.size() < most_program_sources) take_source(p, s, depth);
    add_new(p.cuda, line.cuda);
    add_new(p.includes, line.includes);
    add_new(p.defines, line.defines);
    if (p.standard.empty()) p.standard = line.standard;
    p.architecture = newer_architecture(p.architecture, line.architecture);
    for (const std::string& o : line.objects) take_object(p, o, depth);
    for (const std::string& l : line.libraries) take_library(p, l, line.library_folders, depth);
  }

  /// A source that is written by a rule is not there yet.
  void take_source(ProjectProgram& p, const std::string& file, int) {
    std::error_code ignored;
    if (fs::is_regular_file(file, ignored))
      add_new(p.files, {file});
    else
      make_.text().files().leave_out(fs::path(file).filename().string());
  }

  void take_object(ProjectProgram& p, const std::string& object, int depth) {
    if (depth > most_object_depth || !seen_.insert(object).second) return;
    const MadeBy& m = made_by(target_of(object));
    for (const BuildLine& line : m.lines)
      if (line.output == object || m.lines.size() == 1 || line.makes == Makes::object)
        take_line(p, line, depth + 1);
    for (const auto& [archive, objects] : m.archives)
      for (const std::string& o : objects) take_object(p, o, depth + 1);
    if (!m.lines.empty() || !m.archives.empty()) return;
    std::error_code ignored;
    const fs::path path(object);
    if (fs::is_regular_file(path, ignored)) {
      add_new(p.link_with, {object});
      return;
    }
    for (const char* ending : {".cu", ".cpp", ".cc", ".c"}) {  // what most likely makes it
      fs::path source = path;
      source.replace_extension(ending);
      if (fs::is_regular_file(source, ignored)) return take_source(p, source.string(), depth);
    }
    if (path.extension() == ".o") make_.text().files().leave_out(path.filename().string());
  }

  /// -lNAME may name an archive that the Makefile makes.
  void take_library(ProjectProgram& p, const std::string& name, const Words& folders, int depth) {
    for (const std::string& folder : folders) {
      const std::string path = (fs::path(folder) / ("lib" + name + ".a")).string();
      std::error_code ignored;
      if (by_path_.contains(path) || fs::is_regular_file(path, ignored)) return take_object(p, path, depth);
    }
    add_new(p.link_with, {"-l" + name});
  }

  /// `run: app` with the recipe `./app 1024` says what the program may be given.
  void find_arguments(const std::string& target) {
    for (const ShellCommand& c : made_by(target).others) {
      const std::string path = (c.folder / c.words.front()).lexically_normal().string();
      const auto known = outputs_.find(path);
      if (known == outputs_.end() || c.words.size() < 2) continue;
      ProjectProgram& p = programs_[known->second];
      if (!p.run_by.empty()) continue;
      p.run_by = target;
      p.arguments.assign(c.words.begin() + 1, c.words.end());
    }
  }

  Makefile& make_;
  Words targets_;
  std::map<std::string, std::string> by_path_;  ///< targets by their whole path
  std::map<std::string, MadeBy> made_;
  std::map<std::string, size_t> outputs_;  ///< programs by their path
  std::set<std::string> seen_;             ///< objects of the program at hand
  std::vector<ProjectProgram> programs_;
  size_t steps_ = 0;
};

}  // namespace

std::vector<ProjectProgram> programs_of_makefile(const fs::path& file, ProjectFiles& files) {
  Makefile makefile(file, files);
  return ProgramsOfMakefile(makefile).read();
}

}  // namespace bscope::cuda
