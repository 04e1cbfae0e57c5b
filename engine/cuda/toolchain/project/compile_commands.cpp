#include "engine/cuda/toolchain/project/compile_commands.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "engine/cuda/toolchain/items.hpp"
#include "engine/cuda/toolchain/project/build_line.hpp"
#include "engine/cuda/toolchain/project/shell_line.hpp"
#include "engine/trace/json_text.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

constexpr size_t most_commands_recorded = 2000, most_recorded_sources = 200;

std::string member_text(const Json& entry, const char* name) {
  const auto found = entry.find(name);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// How one file is compiled, and for which target.
struct RecordedCommand {
  std::string file, target;
  BuildLine line;
};

/// NAME of "CMakeFiles/NAME.dir/main.cu.o".
std::string target_in(const std::string& object) {
  constexpr std::string_view folder = "CMakeFiles/", end = ".dir/";
  const size_t begin = object.find(folder);
  if (begin == std::string::npos) return {};
  const size_t close = object.find(end, begin);
  return close == std::string::npos ? std::string()
                                    : object.substr(begin + folder.size(), close - begin - folder.size());
}

std::optional<RecordedCommand> entry_of(const Json& j, const fs::path& home) {
  if (!j.is_object()) return {};
  const fs::path folder = (home / member_text(j, "directory")).lexically_normal();
  const std::string file = member_text(j, "file");
  Words words;
  if (const auto list = j.find("arguments"); list != j.end() && list->is_array()) {
    for (const Json& word : *list)
      if (word.is_string()) words.push_back(word.get<std::string>());
  } else {
    words = shell_words(member_text(j, "command"), folder);
  }
  if (file.empty() || words.empty()) return {};
  words.erase(words.begin());
  RecordedCommand e;
  e.file = (folder / file).lexically_normal().string();
  e.line = build_line(words, folder);
  std::string object = member_text(j, "output");
  if (object.empty()) object = e.line.output;
  e.target = target_in(object);
  std::error_code ignored;
  if (!is_source(e.file) || !fs::is_regular_file(e.file, ignored)) return {};
  return e;
}

void take(ProjectProgram& p, const RecordedCommand& e) {
  if (p.files.size() >= most_recorded_sources) return;
  add_new(p.files, {e.file});
  add_new(p.cuda, e.line.cuda);
  add_new(p.includes, e.line.includes);
  add_new(p.defines, e.line.defines);
  if (p.standard.empty()) p.standard = e.line.standard;
  p.architecture = newer_architecture(p.architecture, e.line.architecture);
}

bool entry_has_main(const std::string& file, ProjectFiles& files) {
  const auto text = files.text(file);
  if (!text || text->find("main") == std::string::npos) return false;
  return std::ranges::any_of(items(*text), [](const Item& i) { return i.function && i.name == "main"; });
}

}  // namespace

std::vector<ProjectProgram> programs_of_compile_commands(const fs::path& file, ProjectFiles& files) {
  std::vector<ProjectProgram> all;
  const auto text = files.text(file);
  const auto json = text ? try_parse_json(*text) : std::nullopt;
  if (!json || !json->is_array()) return all;
  std::vector<RecordedCommand> entries;
  for (const Json& j : *json) {
    if (entries.size() >= most_commands_recorded) break;
    if (auto e = entry_of(j, file.parent_path())) entries.push_back(std::move(*e));
  }
  std::vector<RecordedCommand> parts;  // of any program
  for (const RecordedCommand& e : entries) {
    const bool main = entry_has_main(e.file, files);
    if (!main && e.target.empty()) {
      parts.push_back(e);
      continue;
    }
    const std::string name = e.target.empty() ? fs::path(e.file).stem().string() : e.target;
    auto known = std::ranges::find(all, name, &ProjectProgram::name);
    if (known == all.end()) {
      all.push_back({.name = name, .folder = file.parent_path()});
      known = all.end() - 1;
    }
    take(*known, e);
  }
  for (ProjectProgram& p : all)
    for (const RecordedCommand& e : parts) take(p, e);
  // targets without a main are libraries: any program may be linked with them
  std::vector<ProjectProgram> libraries;
  for (const ProjectProgram& p : all)
    if (std::ranges::none_of(p.files, [&](const std::string& f) { return entry_has_main(f, files); }))
      libraries.push_back(p);
  std::erase_if(all, [&](const ProjectProgram& p) {
    return std::ranges::find(libraries, p.name, &ProjectProgram::name) != libraries.end();
  });
  for (ProjectProgram& p : all)
    for (const ProjectProgram& l : libraries) {
      add_new(p.files, l.files);
      add_new(p.cuda, l.cuda);
      add_new(p.includes, l.includes);
      add_new(p.defines, l.defines);
    }
  return all;
}

}  // namespace bscope::cuda
