#include "app/cli/lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "app/run/values.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

bool begins_letter(char c) { return (c & 0xc0) != 0x80; }

}  // namespace

size_t width_of(std::string_view text) { return size_t(std::ranges::count_if(text, begins_letter)); }

std::string blanks_below(std::string_view text) {
  std::string blanks;
  for (const char c : text)
    if (begins_letter(c)) blanks += c == '\t' ? '\t' : ' ';
  return blanks;
}

std::string pad_right(std::string s, int width) {
  s.resize(std::max(s.size(), size_t(std::max(width, 0))), ' ');
  return s;
}

std::string count(long n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string values(const Trace& t, int array, const std::vector<double>& v, size_t most) {
  const ElementType kind = t.arrays[size_t(array)].kind;
  std::string s;
  for (size_t i = 0; i < std::min(v.size(), most); ++i) s += (i ? " " : "") + exact_text(kind, v[i]);
  if (v.size() > most) s += fmt::format(" ... ({} in all)", v.size());
  return s;
}

std::string wrapped(const std::string& text, int width, const std::string& indent) {
  std::string out, line = indent;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ' ');) {
    if (line.size() > indent.size() && int(line.size() + 1 + word.size()) > width) {
      out += line + "\n";
      line = indent;
    }
    line += (line.size() > indent.size() ? " " : "") + word;
  }
  return out + line + "\n";
}

std::string aligned(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return "";
  std::vector<size_t> widths;
  for (size_t c = 0; c < columns.size(); ++c) {
    size_t width = 0;
    for (const auto& row : rows)
      if (!row.empty()) width = std::max(width, width_of(row[c]));
    widths.push_back(width ? std::max(width, std::string(columns[c].head).size()) : 0);
  }
  std::string text;
  const auto line = [&](const auto& cell) {
    std::string all;
    for (size_t c = 0; c < columns.size(); ++c)
      if (widths[c]) {
        const std::string of = cell(c);
        const std::string room(widths[c] - width_of(of), ' ');
        all += (all.empty() ? "" : "  ") + (columns[c].left ? of + room : room + of);
      }
    all.erase(all.find_last_not_of(' ') + 1);
    text += all + "\n";
  };
  line([&](size_t c) { return std::string(columns[c].head); });
  for (const auto& row : rows) {
    if (row.empty())
      text += "\n";
    else
      line([&](size_t c) { return row[c]; });
  }
  return text;
}

}  // namespace bscope
