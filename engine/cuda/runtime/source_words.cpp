#include "engine/cuda/runtime/source_words.hpp"

#include <algorithm>
#include <vector>

#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/trimmed.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_source_text = 16u << 20;
constexpr int most_lines = 8;  // of a call
constexpr size_t longest_argument = 60;

bool in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::string text_of_source(const UserSource& source) {
  try {
    return read_file(source.text, most_source_text);
  } catch (const BadFile&) { return {}; }
}

/// Whether the text holds it, and not as a part of a longer word.
bool has_word(std::string_view text, std::string_view word) {
  for (size_t k = text.find(word); k != std::string_view::npos; k = text.find(word, k + 1)) {
    const size_t end = k + word.size();
    if ((k == 0 || !in_word(text[k - 1])) && (end == text.size() || !in_word(text[end]))) return true;
  }
  return false;
}

/// The line and some after it, over which a call may go on.
std::string text_from(const RuntimeSettings& settings, const HostLine& at) {
  const auto source = std::ranges::find(settings.sources, at.file, &UserSource::shown);
  if (source == settings.sources.end() || at.line <= 0) return {};
  const std::string text = text_of_source(*source);
  size_t begin = 0;
  for (int line = 1; line < at.line && begin != std::string::npos; ++line) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (begin == std::string::npos) return {};
  size_t end = begin;
  for (int k = 0; k < most_lines && end != std::string::npos; ++k) end = text.find('\n', end + (k > 0));
  return text.substr(begin, end == std::string::npos ? end : end - begin);
}

/// What stands between commas, up to `close` on the same level.
std::vector<std::string> parts_until(std::string_view text, std::string_view close) {
  std::vector<std::string> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t k = 0; k < text.size(); ++k) {
    if (depth == 0 && (text.substr(k).starts_with(close) || text[k] == ',')) {
      parts.emplace_back(trimmed(text.substr(begin, k - begin)));
      if (text[k] != ',') return parts;
      begin = k + 1;
    }
    if (text[k] == '(' || text[k] == '[' || text[k] == '{') ++depth;
    if (text[k] == ')' || text[k] == ']' || text[k] == '}') --depth;
    if (depth < 0) break;
  }
  return {};
}

std::string part(const std::vector<std::string>& parts, int number) {
  const size_t k = number < 0 ? parts.size() - 1 : size_t(number);
  return k < parts.size() && parts[k].size() <= longest_argument ? parts[k] : std::string();
}

}  // namespace

std::string argument_of_call(const RuntimeSettings& settings, const HostLine& at, std::string_view function,
                             int number) {
  const std::string text = text_from(settings, at);
  const std::string_view all = text;
  for (size_t k = all.find(function); k != std::string_view::npos; k = all.find(function, k + 1)) {
    const std::string_view rest = all.substr(k + function.size());
    const size_t open = rest.find_first_not_of(' ');
    if ((k > 0 && in_word(all[k - 1])) || open == std::string_view::npos || rest[open] != '(') continue;
    return part(parts_until(rest.substr(open + 1), ")"), number);
  }
  return {};
}

std::string stream_of_launch(const RuntimeSettings& settings, const HostLine& at) {
  const std::string text = text_from(settings, at);
  const size_t open = text.find("<<<");
  return open == std::string::npos ? ""
                                   : part(parts_until(std::string_view(text).substr(open + 3), ">>>"), 3);
}

std::string variable_in_address(std::string_view argument) {
  const size_t at = argument.rfind('&');
  if (at == std::string_view::npos) return {};
  std::string_view name = trimmed(argument.substr(at + 1));
  while (name.ends_with(')')) name = trimmed(name.substr(0, name.size() - 1));  // of a cast around it
  return is_name(name) ? std::string(name) : std::string();
}

namespace {

std::string_view first_word(std::string_view text) {
  text = trimmed(text);
  size_t n = 0;
  while (n < text.size() && in_word(text[n])) ++n;
  return text.substr(0, n);
}
std::string_view last_word(std::string_view text) {
  text = trimmed(text);
  size_t n = text.size();
  while (n > 0 && in_word(text[n - 1])) --n;
  return text.substr(n);
}

/// "int" and "v", of "thrust::device_vector<int> v(n);".
struct VectorWords {
  std::string_view element, variable;
};
VectorWords vector_in(std::string_view line) {
  constexpr std::string_view type = "_vector<";
  const size_t at = line.find(type);
  if (at == std::string_view::npos) return {};
  int depth = 1;
  const size_t begin = at + type.size();
  size_t k = begin;
  for (; k < line.size() && depth; ++k) depth += (line[k] == '<') - (line[k] == '>');
  if (depth) return {};
  return {trimmed(line.substr(begin, k - 1 - begin)), first_word(line.substr(k))};
}

std::string line_of(const RuntimeSettings& settings, const HostLine& at) {
  const std::string text = text_from(settings, at);
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::string element_of_vector(const RuntimeSettings& settings, const HostLine& at) {
  return std::string(vector_in(line_of(settings, at)).element);
}

bool is_untyped(const RuntimeSettings& settings, const HostLine& at, const std::string& variable) {
  const auto source = std::ranges::find(settings.sources, at.file, &UserSource::shown);
  if (variable.empty() || source == settings.sources.end()) return false;
  const std::string text = text_of_source(*source);
  const std::string_view all = text;
  for (size_t k = all.find("void"); k != std::string_view::npos; k = all.find("void", k + 1)) {
    const std::string_view behind = trimmed(all.substr(k + 4, variable.size() + 16));
    if (behind.starts_with('*') && first_word(behind.substr(1)) == variable) return true;
  }
  return false;
}

std::string variable_of_allocation(const RuntimeSettings& settings, const HostLine& at,
                                   std::string_view function) {
  for (const std::string_view call :
       {function, std::string_view("cudaMallocHost")}) {  // its template calls another
    const std::string to = argument_of_call(settings, at, call, 0);
    if (std::string variable = variable_in_address(to); !variable.empty()) return variable;
  }
  const std::string text = line_of(settings, at);
  const std::string_view line = text;
  std::string_view name = vector_in(line).variable;
  const size_t equals = line.find('='), member = line.find('.');
  if (name.empty() && equals != std::string_view::npos) name = last_word(line.substr(0, equals));
  if (name.empty() && member != std::string_view::npos) name = last_word(line.substr(0, member));
  return is_name(name) ? std::string(name) : std::string();
}

bool is_name(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && in_word(text[0]) &&
         std::ranges::all_of(text, [](char c) {
           return in_word(c) || c == '.' || c == '[' || c == ']' || c == '-' || c == '>' || c == ':';
         });
}

HostLine line_with(const RuntimeSettings& settings, const std::vector<std::string>& words) {
  for (const UserSource& source : settings.sources) {
    const std::string text = text_of_source(source);
    int line = 1;
    for (size_t begin = 0; begin < text.size(); ++line) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view one = std::string_view(text).substr(begin, end - begin);
      if (std::ranges::all_of(words, [&](const std::string& word) { return has_word(one, word); }))
        return {source.shown, line};
      begin = end + 1;
    }
  }
  return {};
}

}  // namespace bscope::cuda
