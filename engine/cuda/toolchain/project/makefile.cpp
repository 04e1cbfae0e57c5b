#include "engine/cuda/toolchain/project/makefile.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int most_included = 8, most_evaluations = 4;
constexpr size_t most_rules = 5000, most_make_targets = 4000, most_recipe = 500;

/// The first word of a line, and what follows it.
std::pair<std::string_view, std::string_view> first_word(std::string_view line) {
  line = without_blanks(line);
  const size_t end = std::min(line.find_first_of(" \t"), line.size());
  return {line.substr(0, end), without_blanks(line.substr(end))};
}

/// The line without its comment.
std::string without_comment(const std::string& line) {
  std::string all;
  for (size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '#') break;
    if (line[k] == '\\' && k + 1 < line.size() && line[k + 1] == '#') ++k;
    all += line[k];
  }
  return all;
}

/// An assignment's name, its sign and its text.
struct Assignment {
  std::string_view name, op, text;
};
std::optional<Assignment> assignment_in(std::string_view line) {
  const size_t at = find_outside(line, "=:");
  if (at == std::string_view::npos) return {};
  size_t begin = at, end = at + 1;
  if (line[at] == ':') {
    while (end < line.size() && line[end] == ':') ++end;
    if (end >= line.size() || line[end] != '=') return {};
    ++end;
  } else if (at > 0 && (line[at - 1] == '?' || line[at - 1] == '+' || line[at - 1] == '!')) {
    --begin;
  }
  return Assignment{without_blanks(line.substr(0, begin)), line.substr(begin, end - begin),
                    without_blanks(line.substr(end))};
}

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t:#=") == std::string_view::npos;
}

/// ".cu.o" as a rule for make that is older than patterns: the endings, or nothing.
std::optional<std::pair<std::string, std::string>> suffix_rule(const std::string& target) {
  if (target.size() < 3 || target[0] != '.' || target.find('/') != std::string::npos) return {};
  const size_t dot = target.find('.', 1);
  if (dot == std::string::npos) return {};
  return std::pair{target.substr(0, dot), target.substr(dot)};
}

}  // namespace

Makefile::Makefile(const fs::path& file, ProjectFiles& files) : text_(file.parent_path(), files) {
  text_.assign("MAKEFILE_LIST", ":=", file.filename().string());
  text_.reads_lines = [this](const std::string& lines) {
    if (++evaluations_ <= most_evaluations) read_text(lines, most_included);
    --evaluations_;
  };
  read(file, 0);
  if (!text_.is_set("VPATH")) return;
  Words folders = text_.words("$(VPATH)");
  for (std::string& f : folders) std::ranges::replace(f, ':', ' ');
  add_new(search_["%"], words_between_blanks(joined_by_blanks(folders)));
}

void Makefile::read(const fs::path& file, int depth) {
  const auto text = text_.files().text(file);
  if (text) read_text(*text, depth);
}

void Makefile::read_text(const std::string& text, int depth) {
  const size_t outer = branches_.size();
  std::string line;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    line.append(text, at, end - at);
    at = end + 1;
    if (!line.empty() && line.back() == '\\' && defining_.empty() && at < text.size()) {
      line.back() = ' ';
      while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
      continue;
    }
    if (!text_.files().work(line.size())) return;
    read_line(std::exchange(line, {}), depth);
  }
  branches_.resize(std::min(branches_.size(), outer));
}

bool Makefile::counts() const {
  return branches_.empty() || (branches_.back().taken && branches_.back().outer);
}

void Makefile::read_line(const std::string& line, int depth) {
  if (!defining_.empty()) {
    if (without_blanks(line) == "endef")
      text_.assign(std::exchange(defining_, {}), "=", std::exchange(definition_, {}));
    else
      definition_ += (definition_.empty() ? "" : "\n") + line;
    return;
  }
  const bool of_recipe = !line.empty() && line.front() == '\t' && !open_.empty();
  if (of_recipe) {
    if (counts() && !without_blanks(line).empty())
      for (const size_t rule : open_)
        if (rules_[rule].recipe.size() < most_recipe) rules_[rule].recipe.push_back(line.substr(1));
    return;
  }
  const std::string plain = without_comment(line);
  const std::string_view text = without_blanks(plain);
  if (text.empty() || read_conditional(text) || !counts()) return;
  if (read_directive(text, depth)) return;
  if (read_assignment(text)) {
    open_.clear();
    return;
  }
  if (find_outside(text, ":") != std::string_view::npos) return read_rule(text);
  // $(eval ...) and $(info ...) as lines of their own; what a call gives may be a line, too
  const std::string given = text_.expand(text);
  if (find_outside(given, ":=") != std::string::npos) text_.reads_lines(given);
}

bool Makefile::read_conditional(std::string_view line) {
  const auto [word, rest] = first_word(line);
  if (word == "endif") {
    if (!branches_.empty()) branches_.pop_back();
    return true;
  }
  if (word == "else") {
    if (branches_.empty()) return true;
    Branch& b = branches_.back();
    const auto [next, condition_text] = first_word(rest);
    const bool holds = !b.any && b.outer && (next.empty() || condition(next, condition_text));
    b.taken = holds;
    b.any |= holds;
    return true;
  }
  if (word != "ifeq" && word != "ifneq" && word != "ifdef" && word != "ifndef" &&
      !word.starts_with("ifeq(") && !word.starts_with("ifneq("))
    return false;
  if (branches_.size() > 64) return true;
  const bool outer = counts();
  const bool holds = outer && condition(word, rest);
  branches_.push_back({holds, holds, outer});
  return true;
}

bool Makefile::condition(std::string_view word, std::string_view rest) {
  if (word == "ifdef" || word == "ifndef") {
    const std::string name = text_.expand(rest);
    const bool set = !text_.expand("$(value " + std::string(without_blanks(name)) + ")").empty();
    return set == (word == "ifdef");
  }
  const bool same_wanted = word.starts_with("ifeq");
  std::string text(rest);
  if (const size_t bracket = word.find('('); bracket != std::string_view::npos)
    text = std::string(word.substr(bracket)) + " " + text;
  std::string a, b;
  if (text.starts_with('(')) {
    const size_t close = text.rfind(')');
    text = text.substr(1, close == std::string::npos ? close : close - 1);
    const size_t comma = find_outside(text, ",");
    if (comma == std::string::npos) return false;
    a = text_.expand(without_blanks(std::string_view(text).substr(0, comma)));
    b = text_.expand(without_blanks(std::string_view(text).substr(comma + 1)));
  } else {
    for (std::string* one : {&a, &b}) {
      const size_t quote = text.find_first_of("\"'");
      if (quote == std::string::npos) return false;
      const size_t end = text.find(text[quote], quote + 1);
      if (end == std::string::npos) return false;
      *one = text_.expand(text.substr(quote + 1, end - quote - 1));
      text.erase(0, end + 1);
    }
  }
  return (without_blanks(a) == without_blanks(b)) == same_wanted;
}

bool Makefile::read_directive(std::string_view line, int depth) {
  const auto [word, rest] = first_word(line);
  if (word == "include" || word == "-include" || word == "sinclude") {
    include(rest, depth);
  } else if (word == "define") {
    const auto [name, op] = first_word(rest);
    defining_ = name.empty() ? "?" : std::string(name);
  } else if (word == "undefine") {
    text_.undefine(text_.expand(rest));
  } else if (word == "vpath") {
    const auto [pattern, folders] = first_word(rest);
    Words all;
    for (std::string f : text_.words(folders)) {
      std::ranges::replace(f, ':', ' ');
      add_new(all, words_between_blanks(f));
    }
    if (!pattern.empty()) add_new(search_[std::string(pattern)], all);
  } else if (word == "export" || word == "override" || word == "private" || word == "unexport") {
    if (const auto a = assignment_in(rest)) text_.assign(text_.expand(a->name), a->op, a->text);
  } else {
    return false;
  }
  open_.clear();
  return true;
}

bool Makefile::read_assignment(std::string_view line) {
  const auto a = assignment_in(line);
  if (!a || !is_name(a->name)) return false;
  const std::string name = text_.expand(a->name);
  if (a->op == "!=")
    text_.assign(name, ":=", "$(shell " + std::string(a->text) + ")");
  else
    text_.assign(name, a->op, a->text);
  return true;
}

void Makefile::include(std::string_view names, int depth) {
  if (depth >= most_included) return;
  for (const std::string& name : text_.words(names))
    for (const std::string& file : files_of_pattern(name, text_.folder())) {
      const fs::path path = (text_.folder() / file).lexically_normal();
      if (path.extension() == ".d" || path.extension() == ".dep") continue;  // what a compiler wrote
      read(path, depth + 1);
    }
}

void Makefile::read_rule(std::string_view line) {
  open_.clear();
  const size_t colon = find_outside(line, ":");
  MakeRule rule;
  rule.targets = text_.words(line.substr(0, colon));
  std::string_view rest = line.substr(colon + 1);
  if (rest.starts_with(':')) rest.remove_prefix(1);
  if (const auto a = assignment_in(rest); a && is_name(a->name)) {  // of these targets alone
    for (const std::string& t : rule.targets)
      own_.push_back({t, std::string(a->name), std::string(a->op), std::string(a->text)});
    return;
  }
  if (const size_t semicolon = find_outside(rest, ";"); semicolon != std::string_view::npos) {
    rule.recipe.emplace_back(without_blanks(rest.substr(semicolon + 1)));
    rest = rest.substr(0, semicolon);
  }
  if (const size_t second = find_outside(rest, ":"); second != std::string_view::npos) {
    rule.stem_pattern = joined_by_blanks(text_.words(rest.substr(0, second)));
    rest = rest.substr(second + 1);
  }
  const size_t bar = find_outside(rest, "|");
  rule.prerequisites = text_.words(rest.substr(0, bar));
  if (bar != std::string_view::npos) rule.order_only = text_.words(rest.substr(bar + 1));
  if (rule.targets.empty() || rules_.size() >= most_rules) return;
  if (const auto suffixes = suffix_rule(rule.targets.front()); suffixes && rule.targets.size() == 1) {
    rule.targets = {"%" + suffixes->second};
    rule.prerequisites = {"%" + suffixes->first};
  }
  rule.pattern = rule.targets.front().find('%') != std::string::npos;
  // patterns of files among prerequisites are the files
  Words plain;
  for (const std::string& p : rule.prerequisites) {
    const auto files = is_pattern(p) ? files_of_pattern(p, folder()) : Words();
    add_new(plain, files.empty() ? Words{p} : files);
  }
  rule.prerequisites = plain;
  open_.push_back(rules_.size());
  rules_.push_back(std::move(rule));
}

std::vector<std::string> Makefile::targets() const {
  Words all;
  for (const MakeRule& r : rules_)
    if (!r.pattern)
      for (const std::string& t : r.targets)
        if (!t.starts_with('.') || t.find('/') != std::string::npos) add_new(all, {t});
  for (const MakeRule& r : rules_)
    if (!r.pattern && all.size() < most_make_targets && !r.targets.front().starts_with('.'))
      add_new(all, r.prerequisites);
  return all;
}

std::vector<std::string> Makefile::targets_of_patterns() {
  Words all;
  for (const MakeRule& r : rules_) {
    if (!r.pattern || r.prerequisites.empty() || r.targets.front().ends_with(".o")) continue;
    const std::string& from = r.prerequisites.front();
    if (!fs::path(from).has_extension()) continue;
    std::string glob = from;
    std::ranges::replace(glob, '%', '*');
    for (const std::string& file : files_of_pattern(glob, folder()))
      if (std::string stem; matches_percent(from, file, stem))
        add_new(all, {with_stem(r.targets.front(), stem)});
  }
  return all;
}

/// A file's name, or its place in a folder of VPATH where it lies there.
std::string Makefile::found(const std::string& file) const {
  std::error_code ignored;
  if (fs::exists(folder() / file, ignored)) return file;
  for (const auto& [pattern, folders] : search_)
    if (std::string stem; matches_percent(pattern, file, stem))
      for (const std::string& f : folders)
        if (fs::exists(folder() / f / file, ignored)) return (fs::path(f) / file).string();
  return file;
}

bool Makefile::is_there(const std::string& file, int depth) const {
  std::error_code ignored;
  if (fs::exists(folder() / found(file), ignored)) return true;
  for (const MakeRule& r : rules_)
    if (!r.pattern && std::ranges::find(r.targets, file) != r.targets.end()) return true;
  std::string stem;
  return depth < 3 && pattern_rule(file, stem, depth + 1) != nullptr;
}

/// A pattern without a slash looks at a file's name alone, and its prerequisites then lie in the same folder.
std::string Makefile::prerequisite_of(const std::string& pattern, const std::string& stem,
                                      const MakeRule& r) const {
  const size_t slash = stem.rfind('/');
  const bool by_name = r.targets.front().find('/') == std::string::npos && slash != std::string::npos;
  if (!by_name || pattern.find('%') == std::string::npos) return with_stem(pattern, stem);
  const std::string beside = stem.substr(0, slash + 1) + with_stem(pattern, stem.substr(slash + 1));
  return beside;
}

const MakeRule* Makefile::pattern_rule(const std::string& target, std::string& stem, int depth) const {
  const MakeRule* best = nullptr;
  for (const MakeRule& r : rules_) {
    if (!r.pattern || r.recipe.empty()) continue;
    for (const std::string& pattern : r.targets) {
      std::string of_this;
      if (!matches_percent(pattern, target, of_this)) continue;
      const bool makeable = std::ranges::all_of(r.prerequisites, [&](const std::string& p) {
        return is_there(prerequisite_of(p, of_this, r), depth);
      });
      // the shortest stem fits best, as make has it
      if (makeable && (!best || of_this.size() < stem.size())) {
        best = &r;
        stem = of_this;
      }
    }
  }
  return best;
}

MakeStep Makefile::built_in(const std::string& target) const {
  MakeStep step{target, {}, {}, false};
  struct BuiltIn {
    const char *ending, *compile;
  };
  constexpr BuiltIn all[] = {{".c", "$(CC) $(CFLAGS) $(CPPFLAGS)"},
                             {".cc", "$(CXX) $(CXXFLAGS) $(CPPFLAGS)"},
                             {".cpp", "$(CXX) $(CXXFLAGS) $(CPPFLAGS)"},
                             {".C", "$(CXX) $(CXXFLAGS) $(CPPFLAGS)"}};
  const bool object = target.ends_with(".o");
  const std::string stem = object ? target.substr(0, target.size() - 2) : target;
  if (!object && fs::path(target).has_extension()) return step;
  for (const BuiltIn& b : all) {
    const std::string source = found(stem + b.ending);
    std::error_code ignored;
    if (!fs::is_regular_file(folder() / source, ignored)) continue;
    step.known = true;
    step.prerequisites = {source};
    step.recipe = {std::string(b.compile) + (object ? " -c $< -o $@" : " $(LDFLAGS) $^ $(LDLIBS) -o $@")};
    return step;
  }
  return step;
}

MakeStep Makefile::step(const std::string& target) {
  MakeStep s{target, {}, {}, false};
  const MakeRule* with_recipe = nullptr;
  std::string stem;
  Words more;
  for (const MakeRule& r : rules_) {
    if (r.pattern || std::ranges::find(r.targets, target) == r.targets.end()) continue;
    s.known = true;
    std::string of_this;
    if (!r.stem_pattern.empty()) matches_percent(r.stem_pattern, target, of_this);
    Words all;
    for (const std::string& p : r.prerequisites)
      all.push_back(r.stem_pattern.empty() ? p : with_stem(p, of_this));
    if (r.recipe.empty()) {
      add_new(more, all);
      continue;
    }
    with_recipe = &r;
    stem = of_this;
    s.prerequisites = all;
  }
  Words lines = with_recipe ? with_recipe->recipe : Words();
  if (!with_recipe) {
    if (const MakeRule* r = pattern_rule(target, stem, 0)) {
      s.known = true;
      for (const std::string& p : r->prerequisites) s.prerequisites.push_back(prerequisite_of(p, stem, *r));
      lines = r->recipe;
    } else if (std::ranges::find(more, target + ".o") != more.end()) {
      lines = {"$(LINK.o) $^ $(LOADLIBES) $(LDLIBS) -o $@"};
    } else if (const MakeStep own = built_in(target); own.known && (!s.known || target.ends_with(".o"))) {
      s.known = true;
      s.prerequisites = own.prerequisites;
      lines = own.recipe;
    }
  }
  for (std::string& p : s.prerequisites) p = found(p);
  for (std::string& p : more) p = found(p);
  add_new(s.prerequisites, more);
  s.recipe = recipe_of(s, lines, stem);
  return s;
}

std::vector<std::string> Makefile::recipe_of(const MakeStep& s, const Words& lines, const std::string& stem) {
  std::map<std::string, std::string> values{
      {"@", s.target},
      {"<", s.prerequisites.empty() ? "" : s.prerequisites.front()},
      {"^", joined_by_blanks(s.prerequisites)},
      {"+", joined_by_blanks(s.prerequisites)},
      {"?", joined_by_blanks(s.prerequisites)},
      {"*", stem.empty() ? fs::path(s.target).replace_extension().string() : stem}};
  for (const OwnVariable& own : own_) {
    std::string ignored;
    if (!matches_percent(own.target, s.target, ignored)) continue;
    const std::string text = text_.expand(own.value);
    std::string& value = values[own.name];
    if (own.op == "+=") {
      if (value.empty()) value = text_.expand("$(" + own.name + ")");
      value += " " + text;
    } else if (own.op != "?=" || !text_.is_set(own.name)) {
      value = text;
    }
  }
  const MakeText::Scope scope(text_, values);
  Words all;
  for (const std::string& line : lines) {
    std::string expanded = text_.expand(line);
    const size_t begin = expanded.find_first_not_of(" \t@+-");
    if (begin == std::string::npos) continue;
    // a `define` gives several lines
    for (size_t at = begin; at < expanded.size();) {
      const size_t end = std::min(expanded.find('\n', at), expanded.size());
      const std::string one(without_blanks(std::string_view(expanded).substr(at, end - at)));
      if (!one.empty()) all.push_back(one.substr(std::min(one.find_first_not_of("@+-"), one.size() - 1)));
      at = end + 1;
    }
  }
  return all;
}

}  // namespace bscope::cuda
