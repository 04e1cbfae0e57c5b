#include "engine/cuda/toolchain/project/make_text.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int most_make_nesting = 40;
constexpr size_t most_expanded = size_t(1) << 20;

/// What a function's text consists of, at its commas; at most so many.
std::vector<std::string_view> arguments_of(std::string_view rest, size_t most) {
  std::vector<std::string_view> all;
  while (all.size() + 1 < most) {
    const size_t comma = find_outside(rest, ",");
    if (comma == std::string_view::npos) break;
    all.push_back(rest.substr(0, comma));
    rest.remove_prefix(comma + 1);
  }
  all.push_back(rest);
  return all;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  if (what.empty()) return text;
  std::string all;
  size_t at = 0;
  for (size_t found; (found = text.find(what, at)) != std::string::npos && all.size() < most_expanded;
       at = found + what.size())
    all.append(text, at, found - at).append(with);
  return all.append(text, at);
}

Words substituted(const Words& words, std::string_view pattern, std::string_view with) {
  Words all;
  for (const std::string& word : words) {
    std::string stem;
    all.push_back(matches_percent(pattern, word, stem) ? with_stem(with, stem) : word);
  }
  return all;
}

Words filtered(const Words& patterns, const Words& words, bool out) {
  Words all;
  for (const std::string& word : words) {
    const bool any = std::ranges::any_of(patterns, [&](const std::string& p) {
      std::string stem;
      return matches_percent(p, word, stem);
    });
    if (any != out) all.push_back(word);
  }
  return all;
}

size_t make_number(std::string_view text) {
  text = without_blanks(text);
  size_t n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

Words range_of(const Words& words, size_t first, size_t last) {
  Words all;
  for (size_t k = std::max(first, size_t(1)); k <= std::min(last, words.size()); ++k)
    all.push_back(words[k - 1]);
  return all;
}

Words joined(const Words& a, const Words& b) {
  Words all;
  for (size_t k = 0; k < std::max(a.size(), b.size()); ++k)
    all.push_back((k < a.size() ? a[k] : std::string()) + (k < b.size() ? b[k] : std::string()));
  return all;
}

/// How many arguments a function has at most.
struct Function {
  std::string_view name;
  size_t most;
};
constexpr Function functions[] = {
    {"subst", 3},  {"patsubst", 3}, {"strip", 1},    {"findstring", 2}, {"filter", 2},    {"filter-out", 2},
    {"sort", 1},   {"word", 2},     {"wordlist", 3}, {"words", 1},      {"firstword", 1}, {"lastword", 1},
    {"dir", 1},    {"notdir", 1},   {"suffix", 1},   {"basename", 1},   {"addsuffix", 2}, {"addprefix", 2},
    {"join", 2},   {"wildcard", 1}, {"realpath", 1}, {"abspath", 1},    {"if", 3},        {"or", 64},
    {"and", 64},   {"foreach", 3},  {"call", 64},    {"shell", 1},      {"value", 1},     {"origin", 1},
    {"flavor", 1}, {"error", 1},    {"warning", 1},  {"info", 1},       {"eval", 1},      {"file", 2},
    {"let", 3},    {"intcmp", 5},   {"guile", 1}};

}  // namespace

size_t find_outside(std::string_view text, std::string_view signs, size_t from) {
  int depth = 0;
  for (size_t k = from; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '$' && k + 1 < text.size()) {
      const char next = text[++k];
      if (next == '(' || next == '{') ++depth;
      continue;
    }
    if (depth > 0 && (c == '(' || c == '{')) ++depth;
    if (depth > 0 && (c == ')' || c == '}'))
      --depth;
    else if (depth == 0 && signs.find(c) != std::string_view::npos)
      return k;
  }
  return std::string_view::npos;
}

bool matches_percent(std::string_view pattern, std::string_view word, std::string& stem) {
  const size_t at = pattern.find('%');
  if (at == std::string_view::npos) return pattern == word;
  const std::string_view before = pattern.substr(0, at), behind = pattern.substr(at + 1);
  if (word.size() < before.size() + behind.size() || !word.starts_with(before) || !word.ends_with(behind))
    return false;
  stem = word.substr(before.size(), word.size() - before.size() - behind.size());
  return true;
}

std::string with_stem(std::string_view pattern, std::string_view stem) {
  const size_t at = pattern.find('%');
  if (at == std::string_view::npos) return std::string(pattern);
  return std::string(pattern.substr(0, at)).append(stem).append(pattern.substr(at + 1));
}

MakeText::MakeText(fs::path folder, ProjectFiles& files) : folder_(std::move(folder)), files_(files) {
  const std::pair<const char*, std::string> built_in[] = {
      {"CC", "cc"},
      {"CXX", "g++"},
      {"CPP", "cc -E"},
      {"AR", "ar"},
      {"ARFLAGS", "rv"},
      {"LD", "ld"},
      {"RM", "rm -f"},
      {"MAKE", "make"},
      {"MAKE_VERSION", "4.3"},
      {"CURDIR", folder_.string()},
      {"PWD", folder_.string()},
      {"COMPILE.c", "$(CC) $(CFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"},
      {"COMPILE.cc", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(TARGET_ARCH) -c"},
      {"COMPILE.cpp", "$(COMPILE.cc)"},
      {"LINK.o", "$(CC) $(LDFLAGS) $(TARGET_ARCH)"},
      {"LINK.cc", "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS) $(TARGET_ARCH)"},
      {"LINK.cpp", "$(LINK.cc)"},
      {"OUTPUT_OPTION", "-o $@"},
  };
  for (const auto& [name, text] : built_in) all_[name] = {text, false};
}

MakeText::Scope::Scope(MakeText& text, const std::map<std::string, std::string>& values)
    : text_(text), before_(text.scope_) {
  for (const auto& [name, value] : values) text.scope_[name] = value;
}
MakeText::Scope::~Scope() { text_.scope_ = std::move(before_); }

bool MakeText::is_set(const std::string& name) const { return all_.contains(name); }

void MakeText::assign(const std::string& name, std::string_view op, std::string_view text) {
  if (name.empty() || all_.size() > 5000) return;
  if (op == "?=" && is_set(name)) return;
  if (op == "+=") {
    Variable& v = all_[name];
    const std::string more = v.at_once ? expand(text) : std::string(text);
    if (!v.text.empty() && !more.empty()) v.text += ' ';
    if (v.text.size() < most_expanded) v.text += more;
    return;
  }
  const bool at_once = op == ":=" || op == "::=";
  all_[name] = {at_once ? expand(text) : std::string(text), at_once};
}

std::string MakeText::expanded(std::string_view text, int depth) {
  if (depth > most_make_nesting || !files_.work(text.size())) return {};
  std::string all;
  for (size_t k = 0; k < text.size() && all.size() < most_expanded; ++k) {
    if (text[k] != '$' || k + 1 >= text.size()) {
      all += text[k];
      continue;
    }
    const char next = text[++k];
    if (next == '$') {
      all += '$';
    } else if (next == '(' || next == '{') {
      const char close = next == '(' ? ')' : '}';
      int open = 1;
      size_t end = k + 1;
      for (; end < text.size(); ++end) {
        if (text[end] == next) ++open;
        if (text[end] == close && --open == 0) break;
      }
      all += reference(text.substr(k + 1, end - k - 1), depth + 1);
      k = end;
    } else {
      all += value(std::string(1, next), depth + 1);
    }
  }
  files_.work(all.size());
  return all;
}

std::string MakeText::reference(std::string_view inside, int depth) {
  const size_t blank = inside.find_first_of(" \t\n");
  std::string result;
  if (blank != std::string_view::npos &&
      function(inside.substr(0, blank),
               inside.substr(inside.find_first_not_of(" \t\n", blank) == std::string_view::npos
                                 ? inside.size()
                                 : inside.find_first_not_of(" \t\n", blank)),
               depth, result))
    return result;
  // $(NAME:.cu=.o)
  const size_t colon = find_outside(inside, ":");
  const size_t equals = colon == std::string_view::npos ? colon : find_outside(inside, "=", colon);
  if (equals != std::string_view::npos) {
    const std::string name = expanded(inside.substr(0, colon), depth);
    std::string from = expanded(inside.substr(colon + 1, equals - colon - 1), depth);
    std::string to = expanded(inside.substr(equals + 1), depth);
    if (from.find('%') == std::string::npos) {
      from.insert(0, 1, '%');
      to.insert(0, 1, '%');
    }
    return joined_by_blanks(substituted(words_between_blanks(value(name, depth)), from, to));
  }
  return value(expanded(inside, depth), depth);
}

std::string MakeText::value(const std::string& name, int depth) {
  if (const auto scoped = scope_.find(name); scoped != scope_.end()) return scoped->second;
  if (std::string of_recipe = automatic(name); !of_recipe.empty()) return of_recipe;
  const auto found = all_.find(name);
  if (found == all_.end()) return {};
  if (found->second.at_once) return found->second.text;
  const std::string text = found->second.text;  // what it calls may change variables
  return expanded(text, depth);
}

/// $(@D), $(<F): the folder or the name of what stands for the sign.
std::string MakeText::automatic(const std::string& name) const {
  if (name.size() != 2 || (name[1] != 'D' && name[1] != 'F')) return {};
  const auto scoped = scope_.find(name.substr(0, 1));
  if (scoped == scope_.end()) return {};
  Words all;
  for (const std::string& word : words_between_blanks(scoped->second)) {
    const fs::path path(word);
    const std::string folder = path.parent_path().string();
    all.push_back(name[1] == 'F' ? path.filename().string() : folder.empty() ? "." : folder);
  }
  return joined_by_blanks(all);
}

bool MakeText::function(std::string_view name, std::string_view rest, int depth, std::string& result) {
  const auto* found = std::ranges::find(functions, name, &Function::name);
  if (found == std::end(functions)) return false;
  const Arguments given = arguments_of(rest, found->most);
  if (name == "foreach") {
    result = of_loop(given, depth);
  } else if (name == "call") {
    result = of_call(given, depth);
  } else if (name == "if" || name == "or" || name == "and") {
    result = of_choice(name, given, depth);
  } else if (name == "shell") {
    result = of_shell(without_blanks(expanded(rest, depth)));
  } else if (name == "eval") {
    if (reads_lines) reads_lines(expanded(rest, depth));
  } else if (name == "guile" || name == "let" || name == "intcmp" || name == "file") {
    files_.leave_out("$(" + std::string(name) + " " + std::string(rest) + ")");
  } else if (name == "origin" || name == "flavor") {
    const bool set = is_set(expanded(rest, depth));
    result = !set ? "undefined" : name == "origin" ? "file" : "recursive";
  } else if (name != "error" && name != "warning" && name != "info") {
    result = of_words(name, given, depth);
  }
  return true;
}

std::string MakeText::of_words(std::string_view name, const Arguments& given, int depth) {
  std::vector<std::string> a;
  for (const std::string_view one : given) a.push_back(expanded(one, depth));
  const size_t wanted = std::ranges::find(functions, name, &Function::name)->most;
  a.resize(std::max(a.size(), wanted));
  const Words last = words_between_blanks(a[wanted - 1]);
  if (!files_.work(a[wanted - 1].size())) return {};
  if (name == "subst") return replaced(a[2], a[0], a[1]);
  if (name == "patsubst")
    return joined_by_blanks(substituted(last, without_blanks(a[0]), without_blanks(a[1])));
  if (name == "strip") return joined_by_blanks(last);
  if (name == "findstring") return a[1].find(a[0]) == std::string::npos ? std::string() : a[0];
  if (name == "filter" || name == "filter-out")
    return joined_by_blanks(filtered(words_between_blanks(a[0]), last, name == "filter-out"));
  if (name == "sort") {
    const std::set<std::string> sorted(last.begin(), last.end());
    return joined_by_blanks({sorted.begin(), sorted.end()});
  }
  if (name == "word") return joined_by_blanks(range_of(last, make_number(a[0]), make_number(a[0])));
  if (name == "wordlist") return joined_by_blanks(range_of(last, make_number(a[0]), make_number(a[1])));
  if (name == "words") return std::to_string(last.size());
  if (name == "firstword") return last.empty() ? std::string() : last.front();
  if (name == "lastword") return last.empty() ? std::string() : last.back();
  if (name == "join") return joined_by_blanks(joined(words_between_blanks(a[0]), last));
  if (name == "addprefix" || name == "addsuffix") {
    Words all;
    for (const std::string& word : last) all.push_back(name == "addprefix" ? a[0] + word : word + a[0]);
    return joined_by_blanks(all);
  }
  if (name == "value") {
    const auto found = all_.find(a[0]);
    return found == all_.end() ? std::string() : found->second.text;
  }
  return of_file_names(name, last);
}

std::string MakeText::of_file_names(std::string_view name, const Words& words) const {
  Words all;
  for (const std::string& word : words) {
    const size_t slash = word.rfind('/');
    const size_t behind = slash == std::string::npos ? 0 : slash + 1;
    const size_t dot = word.rfind('.');
    const bool ending = dot != std::string::npos && dot >= behind;
    if (name == "wildcard") {
      add_new(all, files_of_pattern(word, folder_));
    } else if (name == "dir") {
      all.push_back(behind ? word.substr(0, behind) : "./");
    } else if (name == "notdir") {
      all.push_back(word.substr(behind));
    } else if (name == "suffix") {
      if (ending) all.push_back(word.substr(dot));
    } else if (name == "basename") {
      all.push_back(ending ? word.substr(0, dot) : word);
    } else {  // abspath, realpath
      fs::path whole = (folder_ / word).lexically_normal();
      if (whole.has_relative_path() && whole.filename().empty()) whole = whole.parent_path();
      std::error_code error;
      if (name == "abspath" || fs::exists(whole, error)) all.push_back(whole.string());
    }
  }
  return joined_by_blanks(all);
}

std::string MakeText::of_choice(std::string_view name, const Arguments& given, int depth) {
  const auto argument = [&](size_t k) {
    return k < given.size() ? std::string(without_blanks(expanded(given[k], depth))) : std::string();
  };
  if (name == "if") return argument(argument(0).empty() ? 2 : 1);
  std::string last;
  for (size_t k = 0; k < given.size(); ++k) {
    last = argument(k);
    if (last.empty() == (name == "and")) return last;
  }
  return last;
}

std::string MakeText::of_loop(const Arguments& given, int depth) {
  if (given.size() < 3) return {};
  const std::string name(without_blanks(expanded(given[0], depth)));
  Words all;
  size_t size = 0;
  for (const std::string& word : words_between_blanks(expanded(given[1], depth))) {
    const Scope scope(*this, {{name, word}});
    all.push_back(expanded(given[2], depth));
    size += all.back().size();
    if (size > most_expanded) break;
  }
  return joined_by_blanks(all);
}

std::string MakeText::of_call(const Arguments& given, int depth) {
  const std::string name(without_blanks(expanded(given[0], depth)));
  std::map<std::string, std::string> values{{"0", name}};
  for (size_t k = 1; k < given.size(); ++k) values[std::to_string(k)] = expanded(given[k], depth);
  const auto found = all_.find(name);
  if (found == all_.end()) return {};
  const std::string body = found->second.text;
  const Scope scope(*this, values);
  return expanded(body, depth);
}

/// What a few commands print is known without them.
std::string MakeText::of_shell(std::string_view command) {
  const Words words = words_between_blanks(command);
  const std::string first = words.empty() ? std::string() : words[0];
  const auto plain = [](const std::string& word) {
    std::string text;
    for (const char c : word)
      if (c != '\'' && c != '"') text += c;
    return text;
  };
  if (first == "uname") return words.size() > 1 && words[1] == "-m" ? "x86_64" : "Linux";
  if (first == "pwd") return folder_.string();
  if (first == "echo" && command.find_first_of("|`$") == std::string_view::npos)
    return plain(joined_by_blanks({words.begin() + 1, words.end()}));
  if ((first == "which" || first == "command" || first == "type") && words.size() > 1)
    for (size_t k = 1; k < words.size(); ++k)
      if (!words[k].starts_with('-')) return words[k];
  const bool pipe = command.find('|') != std::string_view::npos;
  if (first == "ls" && !pipe) {
    Words all;
    for (size_t k = 1; k < words.size(); ++k) add_new(all, files_of_pattern(words[k], folder_));
    return joined_by_blanks(all);
  }
  const auto name = std::ranges::find(words, "-name");
  if (first == "find" && !pipe && words.size() > 1 && name != words.end() && name + 1 != words.end()) {
    const std::string where = words[1].starts_with('-') ? "." : words[1];
    Words all;
    const std::string root = (folder_ / where).lexically_normal().string();
    for (auto at = name; at != words.end() && at + 1 != words.end();
         at = std::find(at + 1, words.end(), "-name"))
      for (const std::string& file : files_below(root, plain(*(at + 1)))) {
        const fs::path from = fs::path(file).lexically_relative(root);
        all.push_back((fs::path(where) / from).string());
      }
    return joined_by_blanks(all);
  }
  files_.leave_out("$(shell " + std::string(command) + ")");
  return {};
}

}  // namespace bscope::cuda
