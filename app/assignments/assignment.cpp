#include "app/assignments/assignment.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/assignments/json_lines.hpp"
#include "app/run/assets.hpp"
#include "app/words/words.hpp"
#include "engine/cuda/toolchain/items.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;  // constants are named in the order of the file

constexpr std::string_view format = "barrierscope.assignment/1";
constexpr size_t largest = 1 << 20;  // bytes: an assignment is written by hand
constexpr size_t most_runs = 64, most_requirements = 256;

/// What may stand in each place of the file.
const std::vector<std::string> members{"format", "title",  "task", "hint",         "start", "may_change",
                                       "files",  "expect", "runs", "requirements", "points"};
const std::vector<std::string> members_of_run{"constants", "arguments", "seconds", "schedule"};
const std::vector<std::string> members_of_requirement{"what",     "kernel", "at_most",
                                                      "at_least", "points", "hint"};

std::string number_text(double v) { return fmt::format("{}", v); }

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Reads one file.
class AssignmentReader {
 public:
  explicit AssignmentReader(const fs::path& path) : path_(path), name_(path.filename().string()) {
    text_ = as_text(read_file(path, largest), path.string());
    size_t wrong_at = 0;
    auto all = try_parse_json(text_, &wrong_at);
    if (!all)
      throw BadFile(
          message("{}:{}: this is no JSON: look for a comma, a quote or a bracket that is missing or "
                  "too many, here or in the line before",
                  name_, line_at(text_, wrong_at)));
    all_ = std::move(*all);
    lines_ = json_lines(text_);
    if (!all_.is_object()) refuse("", message("an assignment is a JSON object, in braces"));
    if (text("", "format") != format) refuse("/format", message("write \"format\": \"{}\"", format));
  }

  Assignment read() {
    only("", members);
    Assignment a;
    a.file = name_;
    a.title = text("", "title");
    a.task = fmt::format("{}", fmt::join(lines_or_text("/task"), "\n"));
    a.hint = text("", "hint");
    start(a);
    a.files = names("/files");
    for (std::string& f : a.files) f = (path_.parent_path() / f).string();
    a.expected = {text("", "expect"), name_, line("/expect")};
    runs(a);
    requirements(a);
    for (const auto& [id, points] : object("/points").items()) {
      const std::string at = "/points/" + id;
      if (!std::ranges::count(always_asked(), id))
        refuse(at, message("nothing that is always asked goes by \"{}\": there are {}", id,
                           listed(always_asked())));
      a.points[id] = number(at, 0, 1e6);
    }
    return a;
  }

 private:
  [[noreturn]] void refuse(const std::string& at, const Message& why) const {
    throw BadFile(message("{}:{}: {}", name_, line(at), why));
  }
  /// Of the value, or of what holds it.
  int line(std::string at) const {
    for (; !at.empty(); at.resize(at.rfind('/')))
      if (const auto found = lines_.find(at); found != lines_.end()) return found->second;
    return 1;
  }
  const Json& value(const std::string& at) const {
    static const Json nothing;
    const Json* now = &all_;
    for (size_t begin = 1; begin <= at.size();) {
      const size_t end = std::min(at.find('/', begin), at.size());
      const std::string part = at.substr(begin, end - begin);
      if (now->is_array() && std::stoul(part) < now->size())
        now = &(*now)[std::stoul(part)];
      else if (now->is_object() && now->contains(part))
        now = &(*now)[part];
      else
        return nothing;
      begin = end + 1;
    }
    return *now;
  }

  std::string text(const std::string& at, const std::string& name) const {
    const Json& v = value(at + "/" + name);
    if (v.is_null()) return {};
    if (!v.is_string()) refuse(at + "/" + name, message("\"{}\" should be a text, in quotes", name));
    return v.get<std::string>();
  }
  const Json& object(const std::string& at) const {
    static const Json none = Json::object();
    const Json& v = value(at);
    if (v.is_null()) return none;
    if (!v.is_object()) refuse(at, message("\"{}\" should be an object, in braces", last_name(at)));
    return v;
  }
  size_t count(const std::string& at, size_t most) const {
    const Json& v = value(at);
    if (v.is_null()) return 0;
    if (!v.is_array()) refuse(at, message("\"{}\" should be a list, in square brackets", last_name(at)));
    if (v.size() > most) refuse(at, message("\"{}\" has more than {} entries", last_name(at), most));
    return v.size();
  }
  std::vector<std::string> names(const std::string& at) const {
    std::vector<std::string> all;
    for (size_t k = 0; k < count(at, most_requirements); ++k) {
      const Json& v = value(at + "/" + std::to_string(k));
      if (!v.is_string())
        refuse(at, message("\"{}\" should be a list of texts, each in quotes", last_name(at)));
      all.push_back(v.get<std::string>());
    }
    return all;
  }
  std::vector<std::string> lines_or_text(const std::string& at) const {
    const Json& v = value(at);
    return v.is_string() ? std::vector{v.get<std::string>()} : names(at);
  }
  double number(const std::string& at, double least, double most) const {
    const Json& v = value(at);
    if (!v.is_number() || !(v.get<double>() >= least && v.get<double>() <= most))
      refuse(at, message("\"{}\" should be a number from {} to {}", last_name(at), number_text(least),
                         number_text(most)));
    return v.get<double>();
  }
  static std::string last_name(const std::string& at) { return at.substr(at.rfind('/') + 1); }
  void only(const std::string& at, const std::vector<std::string>& known) const {
    for (const auto& [name, ignored] : value(at).items())
      if (!std::ranges::count(known, name))
        refuse(at + "/" + name, message("\"{}\" is not known here: it may be {}", name, listed(known)));
  }
  void only_objects(const std::string& at, const std::vector<std::string>& known) const {
    if (!value(at).is_object()) refuse(at, message("an object should stand here, in braces"));
    only(at, known);
  }

  void start(Assignment& a) const {
    const std::string file = text("", "start");
    a.guards = !value("/may_change").is_null();
    a.may_change = names("/may_change");
    if (file.empty()) {
      if (a.guards)
        refuse("/may_change", message("\"may_change\" needs the file that it is about: add \"start\""));
      return;
    }
    a.start = path_.parent_path() / file;
    try {
      a.given = as_text(read_file(a.start, largest), file);
    } catch (const BadFile& e) { refuse("/start", e.message()); }
    const std::vector<cuda::Item> all = cuda::items(a.given);
    for (size_t k = 0; k < a.may_change.size(); ++k)
      if (std::ranges::find(all, a.may_change[k], &cuda::Item::name) == all.end())
        refuse("/may_change/" + std::to_string(k), message("{} declares no \"{}\"", file, a.may_change[k]));
  }

  void runs(Assignment& a) const {
    for (size_t k = 0; k < count("/runs", most_runs); ++k)
      a.runs.push_back(run("/runs/" + std::to_string(k)));
    if (a.runs.empty()) a.runs.emplace_back();
    for (size_t k = 0; k < a.runs.size(); ++k)
      if (a.runs[k].name.empty()) a.runs[k].name = "run " + std::to_string(k + 1);
  }
  AssignedRun run(const std::string& at) const {
    only_objects(at, members_of_run);
    AssignedRun r;
    r.line = line(at);
    for (const auto& [name, v] : object(at + "/constants").items()) {
      const std::string where = at + "/constants/" + name;
      if (!v.is_number() && !v.is_string())
        refuse(where, message("the value of {} should be a number, or a text in quotes", name));
      const std::string typed = name + "=" + (v.is_string() ? v.get<std::string>() : json_text(v));
      try {
        r.constants.push_back(cuda::parse_setting(typed));
      } catch (const UsageError&) { refuse(where, message("{} is no constant and value", typed)); }
      r.name += (r.name.empty() ? "" : ", ") + typed;
    }
    r.arguments = names(at + "/arguments");
    if (!r.arguments.empty())
      r.name += fmt::format("{}-- {}", r.name.empty() ? "" : " ", fmt::join(r.arguments, " "));
    if (!value(at + "/seconds").is_null()) r.seconds = number(at + "/seconds", 0.1, 3600);
    const std::string schedule = text(at, "schedule");
    try {
      if (!schedule.empty()) r.schedule = parse_schedule(schedule);
    } catch (const UsageError& e) { refuse(at + "/schedule", e.message()); }
    return r;
  }

  void requirements(Assignment& a) const {
    for (size_t k = 0; k < count("/requirements", most_requirements); ++k)
      a.requirements.push_back(requirement("/requirements/" + std::to_string(k)));
  }
  Requirement requirement(const std::string& at) const {
    only_objects(at, members_of_requirement);
    Requirement r;
    r.line = line(at);
    r.what = text(at, "what");
    r.fact = fact_of_runs(r.what);
    if (!r.fact) refuse(at + "/what", message("no figure is called \"{}\": there are {}", r.what, figures()));
    r.kernel = text(at, "kernel");
    r.at_most = limit(at, "at_most");
    r.at_least = limit(at, "at_least");
    if (r.at_most.empty() && r.at_least.empty())
      refuse(at, message("a requirement needs \"at_most\" or \"at_least\""));
    r.hint = text(at, "hint");
    if (!value(at + "/points").is_null()) r.points = number(at + "/points", 0, 1e6);
    return r;
  }
  std::string limit(const std::string& at, const std::string& name) const {
    const Json& v = value(at + "/" + name);
    return v.is_number() ? json_text(v) : text(at, name);
  }
  static std::string figures() {
    std::vector<std::string> all;
    for (const Fact* f : facts()) {
      const std::string& name = f->words.empty() ? f->asked : f->words;
      if (f->of_run && !name.empty() && !std::ranges::count(all, name)) all.push_back(name);
    }
    return listed(all);
  }

  fs::path path_;
  std::string name_, text_;
  Json all_;
  std::map<std::string, int> lines_;
};

}  // namespace

const std::vector<std::string>& always_asked() {
  static const std::vector<std::string> all{"given",   "program", "whole",   "result",
                                            "kernels", "hazards", "findings"};
  return all;
}

Assignment read_assignment(const fs::path& path) { return AssignmentReader(path).read(); }

std::vector<KnownAssignment> known_assignments() {
  std::vector<KnownAssignment> all;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(assets_folder() / "assignments", none)) {
    fs::path file = entry.path() / "assignment.json";
    if (fs::exists(file, none)) all.push_back({entry.path().filename().string(), std::move(file)});
  }
  std::ranges::sort(all, {}, &KnownAssignment::name);
  return all;
}

fs::path assignment_file(const std::string& path_or_name) {
  std::error_code none;
  if (!fs::exists(path_or_name, none))
    for (const KnownAssignment& known : known_assignments())
      if (known.name == path_or_name) return known.file;
  return path_or_name;
}

}  // namespace bscope
