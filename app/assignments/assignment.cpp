#include "app/assignments/assignment.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/assignments/assignment_file.hpp"
#include "app/assignments/json_lines.hpp"
#include "app/run/assets.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/facts.hpp"
#include "engine/catalog/edit_distance.hpp"
#include "engine/cuda/toolchain/items.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view format = "barrierscope.assignment/1";
constexpr size_t largest = 1 << 20;  // bytes: an assignment is written by hand

/// Reads one file.
class AssignmentReader {
 public:
  explicit AssignmentReader(const fs::path& path) : path_(path), name_(path.filename().string()) {
    const std::string text = as_text(read_file(path, largest), path.string());
    size_t wrong_at = 0;
    const auto all = try_parse_json(text, &wrong_at);
    if (!all)
      throw BadFile(
          message("{}:{}: this is no JSON: look for a comma, a quote or a bracket that is missing or "
                  "too many, here or in the line before",
                  name_, line_at(text, wrong_at)));
    lines_ = json_lines(text);
    if (!all->is_object()) refuse("", message("an assignment is a JSON object, in braces"));
    // before its members: another format has others
    if (const auto it = all->find("format"); it == all->end() || *it != format)
      refuse("format", message("write \"format\": \"{}\"", format));
    try {
      from_fields_json(file_, *all, {}, Reading::exact);
    } catch (const BadMember& e) { refuse(e.where, e.message()); }
  }

  Assignment read() {
    Assignment a;
    a.file = name_;
    name(a);
    a.title = file_.title;
    a.task = file_.task.text;
    a.hint = file_.hint;
    start(a);
    puzzle(a);
    for (const std::string& f : file_.files) a.files.push_back((path_.parent_path() / f).string());
    a.expected = {file_.expect, name_, line("expect")};
    for (size_t k = 0; k < file_.runs.size(); ++k)
      a.runs.push_back(run(file_.runs[k], "runs." + std::to_string(k)));
    if (a.runs.empty()) a.runs.emplace_back();
    for (size_t k = 0; k < a.runs.size(); ++k)
      if (a.runs[k].name.empty()) a.runs[k].name = "run " + std::to_string(k + 1);
    for (size_t k = 0; k < file_.requirements.size(); ++k)
      a.requirements.push_back(requirement(file_.requirements[k], "requirements." + std::to_string(k)));
    for (const auto& [id, points] : file_.points) {
      if (!std::ranges::count(always_asked(), id))
        refuse("points." + id, message("nothing that is always asked goes by \"{}\": there are {}", id,
                                       name_list(always_asked())));
      a.points[id] = points;
    }
    return a;
  }

 private:
  /// `at`: the path of a member, "runs.1.seconds".
  [[noreturn]] void refuse(const std::string& at, const Message& why) const {
    throw BadFile(message("{}:{}: {}", name_, line(at), why));
  }
  /// Of the value, or of what holds it.
  int line(const std::string& at) const {
    std::string pointer = "/" + at;
    std::ranges::replace(pointer, '.', '/');
    for (; !pointer.empty(); pointer.resize(pointer.rfind('/')))
      if (const auto found = lines_.find(pointer); found != lines_.end()) return found->second;
    return 1;
  }

  void start(Assignment& a) const {
    a.guards = file_.may_change.has_value();
    a.may_change = file_.may_change.value_or(std::vector<std::string>());
    const std::string& file = file_.start;
    if (file.empty()) {
      if (a.guards)
        refuse("may_change", message("\"may_change\" needs the file that it is about: add \"start\""));
      return;
    }
    a.start = path_.parent_path() / file;
    try {
      a.given = as_text(read_file(a.start, largest), file);
    } catch (const BadFile& e) { refuse("start", e.message()); }
    const std::vector<cuda::Item> all = cuda::items(a.given);
    for (size_t k = 0; k < a.may_change.size(); ++k)
      if (std::ranges::find(all, a.may_change[k], &cuda::Item::name) == all.end())
        refuse("may_change." + std::to_string(k), message("{} declares no \"{}\"", file, a.may_change[k]));
  }

  void name(Assignment& a) const {
    std::error_code none;
    a.name = fs::absolute(path_, none).lexically_normal().string();
    for (const KnownAssignment& known : known_assignments())
      if (fs::equivalent(known.file, path_, none)) a.name = known.name, a.series = known.series;
  }

  void puzzle(Assignment& a) const {
    a.lines = file_.lines;
    a.hints = file_.hints;
    a.level = file_.level;
    const auto lines = 1 + std::ranges::count(a.given, '\n');
    for (size_t k = 0; k < a.lines.size(); ++k)
      if (a.start.empty() || a.lines[k] > lines)
        refuse("lines." + std::to_string(k),
               message("\"lines\" are lines of the file to begin with: it has no line {}", a.lines[k]));
    if (file_.solution.empty()) return;
    a.solution = path_.parent_path() / file_.solution;
    std::error_code none;
    if (!fs::is_regular_file(a.solution, none))
      refuse("solution", message("there is no file {}", file_.solution));
  }

  AssignedRun run(const AssignedRunEntry& entry, const std::string& at) const {
    AssignedRun r;
    r.line = line(at);
    for (const auto& [name, value] : entry.constants) {
      const std::string typed = name + "=" + value.text;
      try {
        r.constants.push_back(cuda::parse_setting(typed));
      } catch (const UsageError&) {
        refuse(at + ".constants." + name, message("{} is no constant and value", typed));
      }
      r.name += (r.name.empty() ? "" : ", ") + typed;
    }
    r.arguments = entry.arguments;
    if (!r.arguments.empty())
      r.name += fmt::format("{}-- {}", r.name.empty() ? "" : " ", fmt::join(r.arguments, " "));
    r.seconds = entry.seconds;
    try {
      if (!entry.schedule.empty()) r.schedule = parse_schedule(entry.schedule);
    } catch (const UsageError& e) { refuse(at + ".schedule", e.message()); }
    return r;
  }

  Requirement requirement(const RequirementEntry& entry, const std::string& at) const {
    Requirement r;
    r.line = line(at);
    r.what = entry.what;
    r.fact = fact_of_runs(r.what);
    if (!r.fact) refuse(at + ".what", message("no figure is called \"{}\": there are {}", r.what, figures()));
    r.kernel = entry.kernel;
    r.at_most = entry.at_most.text;
    r.at_least = entry.at_least.text;
    if (r.at_most.empty() && r.at_least.empty())
      refuse(at, message("a requirement needs \"at_most\" or \"at_least\""));
    r.hint = entry.hint;
    r.points = entry.points;
    return r;
  }
  static std::string figures() {
    std::vector<std::string> all;
    for (const Fact* f : facts()) {
      const std::string& name = f->words.empty() ? f->asked : f->words;
      if (f->of_run && !name.empty() && !std::ranges::count(all, name)) all.push_back(name);
    }
    return name_list(all);
  }

  fs::path path_;
  std::string name_;
  AssignmentFile file_;
  std::map<std::string, int> lines_;
};

}  // namespace

TextOrLines TextOrLines::from_json(const nlohmann::ordered_json& j, const std::string& where) {
  if (j.is_string()) return {j.get<std::string>()};
  std::vector<std::string> lines;
  from_fields_json(lines, j, where);
  return {fmt::format("{}", fmt::join(lines, "\n"))};
}

TextOrNumber TextOrNumber::from_json(const nlohmann::ordered_json& j, const std::string& where) {
  if (j.is_number()) return {json_text(j)};
  if (!j.is_string()) throw BadFile(message("\"{}\" is neither a number nor a text, in quotes", where));
  return {j.get<std::string>()};
}

const std::vector<std::string>& always_asked() {
  static const std::vector<std::string> all{"given",   "program", "whole",   "result",
                                            "kernels", "hazards", "findings"};
  return all;
}

Assignment read_assignment(const fs::path& path) { return AssignmentReader(path).read(); }

std::vector<KnownAssignment> known_assignments() {
  std::vector<KnownAssignment> all;
  std::error_code none;
  const auto add_those_in = [&](const fs::path& folder, const std::string& series) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, none))
      if (fs::path file = entry.path() / "assignment.json"; fs::exists(file, none))
        files.push_back(std::move(file));
    std::ranges::sort(files);
    for (fs::path& file : files) {
      std::string name = file.parent_path().filename().string();
      if (!series.empty()) name.erase(0, name.find_first_not_of("0123456789-"));
      all.push_back({std::move(name), series, std::move(file)});
    }
  };
  const fs::path ours = assets_folder() / "assignments";
  add_those_in(ours, "");
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(ours, none))
    if (entry.is_directory(none) && !fs::exists(entry.path() / "assignment.json", none))
      folders.push_back(entry.path());
  std::ranges::sort(folders);
  for (const fs::path& folder : folders) add_those_in(folder, folder.filename().string());
  return all;
}

fs::path assignment_file(const std::string& path_or_name) {
  std::error_code none;
  const bool like_a_file = path_or_name.find('/') != std::string::npos || path_or_name.ends_with(".json");
  if (fs::exists(path_or_name, none)) return path_or_name;
  std::vector<std::string> names;
  for (const KnownAssignment& known : known_assignments()) {
    if (known.name == path_or_name) return known.file;
    names.push_back(known.name);
  }
  if (like_a_file || names.empty()) return path_or_name;
  const std::string meant = nearest_name(path_or_name, names);
  throw UsageError(
      meant.empty()
          ? message("there is neither a file nor an assignment {}: the assignments are {}", path_or_name,
                    name_list(names))
          : message("there is neither a file nor an assignment {}: did you mean {}?", path_or_name, meant));
}

}  // namespace bscope
