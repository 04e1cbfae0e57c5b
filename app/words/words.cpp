#include "app/words/words.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/words/counting.hpp"
#include "app/words/medium.hpp"
#include "app/words/word_files.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

std::atomic<Language> program_language{Language::en};
thread_local std::optional<Language> scoped_language;
enum class Medium : uint8_t { terminal, window, page };
std::atomic<Medium> medium{Medium::terminal};

/// "threads {} and {}" taken apart: what stands between its holes, and their order in the translation.
struct Template {
  std::vector<std::string> between;  ///< one more than there are holes
  std::string translation;
};

struct Table {
  std::unordered_map<std::string, std::string> texts;
  std::unordered_map<std::string, std::string> messages;  ///< the same, by patterns whose {:n} are {}
  std::vector<Template> templates;                        ///< the one with most letters of its own first
};

std::vector<std::string> split_at_holes(const std::string& s) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '{') {
      const size_t end = s.find('}', i);
      if (end == std::string::npos) break;
      parts.emplace_back();
      i = end;
    } else {
      parts.back() += s[i];
    }
  }
  return parts;
}

size_t letters(const Template& t) {
  size_t n = 0;
  for (const std::string& part : t.between) n += part.size();
  return n;
}

using Texts = std::map<std::string, std::string>;

/// Adds those of a file. `templates`: whether English sentences are taken apart by them.
void add(Table& table, std::string_view path, const Texts& texts, bool templates) {
  const bool of_messages = path.ends_with("/messages.json");
  for (const auto& [english, other] : texts) {
    table.texts[english] = other;
    Template t{split_at_holes(english), other};
    std::string pattern = t.between[0];
    for (size_t k = 1; k < t.between.size(); ++k) pattern += "{}" + t.between[k];
    table.messages[pattern] = other;
    // patterns of messages alone are short: they would take any sentence apart
    if (templates && t.between.size() > 1 && !of_messages) table.templates.push_back(std::move(t));
  }
}

/// Of the files whose names begin in one of these ways.
Table read(const std::vector<std::string>& beginnings, bool templates) {
  Table table;
  for (const WordFile& file : word_files())
    if (std::ranges::any_of(beginnings, [&](const auto& begins) { return file.path.starts_with(begins); }))
      add(table, file.path, parse_json(file.text, std::string(file.path)).get<Texts>(), templates);
  return table;
}

/// Adds those that a page fetches. Where they cannot be fetched, it speaks English.
void add_fetched(Table& table) try {
  const auto files =
      parse_json(as_text(read_file(fetched_words, most_fetched), fetched_words), fetched_words);
  for (const auto& [path, texts] : files.items()) add(table, path, texts.get<Texts>(), true);
} catch (const BadFile&) {}

Table read_chinese() {
  Table table = read({"assets/words/zh/"}, true);
  if (table.texts.empty()) add_fetched(table);
  std::stable_sort(table.templates.begin(), table.templates.end(),
                   [](const Template& l, const Template& r) { return letters(l) > letters(r); });
  return table;
}

const Table& table(Language language) {
  static const Table none;
  if (language != Language::zh) return none;
  static const Table zh = read_chinese();
  return zh;
}
/// English that users of the medium can follow.
const Table& medium_table() {
  static const Table none, window = read({"assets/words/graphical.json", "assets/words/window.json"}, false),
                           page = read({"assets/words/graphical.json", "assets/words/page.json"}, false);
  switch (medium) {
    case Medium::terminal: break;
    case Medium::window: return window;
    case Medium::page: return page;
  }
  return none;
}

/// What stands in the template's holes if the sentence is one of its; the shortest that fits each hole.
std::optional<std::vector<std::string>> holes(const Template& t, const std::string& sentence) {
  if (!sentence.starts_with(t.between.front()) || !sentence.ends_with(t.between.back())) return {};
  std::vector<std::string> out;
  size_t at = t.between.front().size();
  for (size_t i = 1; i < t.between.size(); ++i) {
    const bool last = i + 1 == t.between.size();
    const std::string& next = t.between[i];
    if (last && sentence.size() < at + next.size()) return {};
    const size_t end = last ? sentence.size() - next.size() : sentence.find(next, at);
    if (end == std::string::npos || end < at) return {};
    out.push_back(sentence.substr(at, end - at));
    at = end + next.size();
  }
  return out;
}

/// Whether a hole before the last holds a clause that another template would take apart.
bool swallows_clause(const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end() - 1,
                     [](const std::string& part) { return part.find(": ") != std::string::npos; });
}

/// "scan, operator or type": names for the user to type stay as they are.
std::string names(const std::string& part) {
  const size_t last = part.rfind(" or ");
  return last == std::string::npos ? part : tr("{} or {}", part.substr(0, last), part.substr(last + 4));
}

/// The pattern with `argument(k, hole, before)` in each of its holes: {} in turn, {2} by number. `before` is
/// the text that stands in front of it.
template <class F>
std::string filled(const std::string& pattern, const F& argument) {
  std::string out;
  size_t next = 0;
  for (size_t i = 0; i < pattern.size();) {
    const size_t end = pattern[i] == '{' ? pattern.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      out += pattern[i++];
      continue;
    }
    const bool numbered = std::isdigit(static_cast<unsigned char>(pattern[i + 1])) != 0;
    const size_t which = numbered ? size_t(pattern[i + 1] - '0') : next++;
    out += argument(which, std::string_view(pattern).substr(i, end - i), out);
    i = end + 1;
  }
  return out;
}

/// The translation with the sentence's parts in its holes. {} and {2} are said in turn; {:n} and {2:n} hold
/// names, and what stands in quotes was typed by the user: they are not.
std::string with_parts(const std::string& translation, const std::vector<std::string>& parts) {
  return filled(translation, [&](size_t which, std::string_view hole, const std::string& before) {
    const std::string part = which < parts.size() ? parts[which] : std::string();
    const bool quoted = before.ends_with("\u201c") || before.ends_with('"') || before.ends_with('`');
    return quoted ? part : hole.ends_with(":n") ? names(part) : translated(part);
  });
}

std::string with_arguments(const std::string& pattern, const std::vector<std::string>& arguments) {
  return filled(pattern, [&](size_t which, std::string_view, const std::string&) {
    return which < arguments.size() ? arguments[which] : std::string();
  });
}

std::string said_in_language(const std::string& sentence) {
  if (spoken() == Language::en) return sentence;
  const Table& words = table(spoken());
  if (const auto found = words.texts.find(sentence); found != words.texts.end()) return found->second;
  const Template* swallows =
      nullptr;  // one that fits only if a whole clause, up to its ": ", goes into a hole
  for (const Template& t : words.templates)
    if (const auto parts = holes(t, sentence)) {
      if (!swallows_clause(*parts)) return with_parts(t.translation, *parts);
      if (!swallows) swallows = &t;
    }
  return swallows ? with_parts(swallows->translation, *holes(*swallows, sentence)) : sentence;
}

}  // namespace

Language parse_language(const std::string& name) {
  for (const Language l : {Language::en, Language::zh})
    if (name == name_of(l)) return l;
  throw UsageError(message("no language \"{}\": choose en or zh", name));
}
const char* name_of(Language l) { return l == Language::zh ? "zh" : "en"; }

void speak(Language l) { program_language = l; }
Language spoken() { return scoped_language.value_or(program_language); }

ScopedLanguage::ScopedLanguage(Language l) : before_(std::exchange(scoped_language, l)) {}
ScopedLanguage::~ScopedLanguage() { scoped_language = before_; }

void speak_in_window() { medium = Medium::window; }
void speak_in_page() { medium = Medium::page; }

std::string tr(std::string_view english) { return std::string(translated_view(english)); }

std::string tr_count(long long n, std::string_view one, std::string_view many) {
  return tr(n == 1 ? one : many, grouped(n));
}

std::string tr(const Message& m) {
  if (m.is_verbatim()) return m.english();
  const std::string* pattern = &m.pattern();
  const auto look_up = [&](const Table& words) {
    const auto found = words.messages.find(*pattern);
    if (found != words.messages.end()) pattern = &found->second;
    return found != words.messages.end();
  };
  const bool of_medium = look_up(medium_table());
  const bool known = look_up(table(spoken()));
  // of an older file: its arguments are unknown
  if (!of_medium && !known && m.arguments().empty()) return translated(m.pattern());
  std::vector<std::string> arguments;
  for (const Message& argument : m.arguments()) arguments.push_back(tr(argument));
  return with_arguments(*pattern, arguments);
}

std::string_view translated_view(std::string_view english) {
  if (medium != Medium::terminal) {
    const auto other = medium_table().texts.find(std::string(english));
    if (other != medium_table().texts.end()) english = other->second;
  }
  if (spoken() == Language::en) return english;
  const Table& words = table(spoken());
  const auto found = words.texts.find(std::string(english));
  return found == words.texts.end() ? english : std::string_view(found->second);
}

std::string translated(const std::string& sentence) {
  if (const auto other = medium_table().texts.find(sentence); other != medium_table().texts.end())
    return said_in_language(other->second);
  return said_in_language(sentence);
}

std::string capitalised(std::string s) {
  const std::string_view first = std::string_view(s).substr(0, s.find_first_of(" ,"));
  const bool is_code = first.find("::") != std::string_view::npos ||
                       first.find_first_of("_[(") != std::string_view::npos ||
                       (first.size() > 1 && first[1] >= '0' && first[1] <= '9') ||
                       std::ranges::any_of(first, [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!s.empty() && !is_code && s[0] >= 'a' && s[0] <= 'z') s[0] = char(s[0] - 'a' + 'A');
  return s;
}

bool known(Language language, const std::string& english) {
  if (language == Language::en) return true;
  const Table& words = table(language);
  if (words.texts.contains(english)) return true;
  for (const Template& t : words.templates)
    if (holes(t, english)) return true;
  return false;
}

bool known(Language language, const Message& m) {
  if (language == Language::en || m.is_verbatim()) return true;
  return table(language).messages.contains(m.pattern()) &&
         std::ranges::all_of(m.arguments(), [&](const Message& a) { return known(language, a); });
}

}  // namespace bscope
