#include "engine/cuda/runtime/source_words.hpp"

#include <algorithm>
#include <vector>

#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_text = 16u << 20;
constexpr int most_lines = 8;  // of a call
constexpr size_t longest_argument = 60;

bool in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

std::string text_of(const UserSource& source) {
  try {
    return read_file(source.text, most_text);
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
  const std::string text = text_of(*source);
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

bool is_name(std::string_view text) {
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && in_word(text[0]) &&
         std::ranges::all_of(text, [](char c) {
           return in_word(c) || c == '.' || c == '[' || c == ']' || c == '-' || c == '>' || c == ':';
         });
}

HostLine line_with(const RuntimeSettings& settings, const std::vector<std::string>& words) {
  for (const UserSource& source : settings.sources) {
    const std::string text = text_of(source);
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
