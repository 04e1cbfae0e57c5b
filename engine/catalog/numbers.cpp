#include "engine/catalog/numbers.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/input_file.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

/// How many bytes at the beginning of the text separate numbers; 0: none.
size_t separator(std::string_view text) {
  if (std::isspace(static_cast<unsigned char>(text[0]))) return 1;
  if (std::string_view(",;[](){}\"'").find(text[0]) != std::string_view::npos) return 1;
  for (const std::string_view wide : {"\uff0c", "\uff1b", "\u3001", "\u3000", "\u00a0", "\ufeff"})
    if (text.starts_with(wide)) return wide.size();
  return 0;
}

/// A word as it may be shown: not all of a long one, and nothing that a terminal would obey.
std::string shown(std::string_view word) {
  const auto byte = [&](size_t i) { return i < word.size() ? static_cast<unsigned char>(word[i]) : 0u; };
  std::string s;
  for (size_t i = 0; i < word.size() && s.size() < 24;) {
    const unsigned first = byte(i);
    size_t size = first >= 0xf0 && first < 0xf5   ? 4
                  : first >= 0xe0 && first < 0xf0 ? 3
                  : first >= 0xc2 && first < 0xe0 ? 2
                                                  : 1;
    for (size_t k = 1; k < size; ++k)
      if ((byte(i + k) & 0xc0) != 0x80) size = 0;  // no UTF-8
    const bool good = size > 1 || (size == 1 && std::isprint(int(first)));
    s += good ? word.substr(i, size) : "?";
    i += std::max<size_t>(size, 1);
  }
  return s;
}

}  // namespace

std::vector<double> parse_numbers(std::string_view text) {
  std::vector<double> numbers;
  int line = 1;
  for (size_t at = 0; at < text.size();) {
    if (const size_t skip = separator(text.substr(at))) {
      line += text[at] == '\n';
      at += skip;
      continue;
    }
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    size_t end = at;
    while (end < text.size() && text[end] != '#' && !separator(text.substr(end))) ++end;
    const std::string_view word = text.substr(at, end - at);
    double v = 0;
    const char* begin = word.data() + (word[0] == '+' ? 1 : 0);
    const auto [stop, error] = std::from_chars(begin, word.data() + word.size(), v);
    if (error != std::errc() || stop != word.data() + word.size() || !std::isfinite(v))
      throw UsageError(message("line {}: \"{}\" is not a number; separate numbers by spaces or commas.", line,
                               shown(word)));
    numbers.push_back(v);
    at = end;
  }
  return numbers;
}

std::vector<double> numbers_of(std::string bytes, const std::string& name) {
  std::vector<double> numbers;
  try {
    bytes = as_text(std::move(bytes), name);
  } catch (const BadFile& e) { throw UsageError(e.message()); }
  try {
    numbers = parse_numbers(bytes);
  } catch (const UsageError& e) { throw UsageError(message("{}, {}", name, e.message())); }
  if (numbers.empty()) throw UsageError(message("{} holds no number: give at least one.", name));
  return numbers;
}

std::vector<double> read_numbers(const std::string& path) { return numbers_of(read_input_file(path), path); }

}  // namespace bscope
