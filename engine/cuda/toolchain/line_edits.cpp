#include "engine/cuda/toolchain/line_edits.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

namespace bscope::cuda {
namespace {

/// The lines with their ends, so that nothing is lost where a text ends without one.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> all;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    all.push_back(text.substr(at, end - at));
    at = end;
  }
  return all;
}

/// A line of a diff: what it does, and its text.
struct DiffLine {
  char mark;  // ' ', '-' or '+'
  std::string text;
};

/// The shortest edit of lines, by the longest common subsequence of what differs (Hunt and McIlroy 1976).
/// Equal lines at both ends are left out of the table, which so stays small.
std::vector<DiffLine> difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  size_t head = 0, tail = 0;
  while (head < std::min(a.size(), b.size()) && a[head] == b[head]) ++head;
  while (tail < std::min(a.size(), b.size()) - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  const size_t rows = a.size() - head - tail, columns = b.size() - head - tail;
  std::vector<std::vector<int>> common(rows + 1, std::vector<int>(columns + 1));
  for (size_t i = rows; i-- > 0;)
    for (size_t j = columns; j-- > 0;)
      common[i][j] = a[head + i] == b[head + j] ? common[i + 1][j + 1] + 1
                                                : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<DiffLine> all;
  for (size_t k = 0; k < head; ++k) all.push_back({' ', a[k]});
  for (size_t i = 0, j = 0; i < rows || j < columns;) {
    if (i < rows && j < columns && a[head + i] == b[head + j]) {
      all.push_back({' ', a[head + i]});
      ++i, ++j;
    } else if (j == columns || (i < rows && common[i + 1][j] >= common[i][j + 1])) {
      all.push_back({'-', a[head + i++]});
    } else {
      all.push_back({'+', b[head + j++]});
    }
  }
  for (size_t k = a.size() - tail; k < a.size(); ++k) all.push_back({' ', a[k]});
  return all;
}

std::string range_text(size_t first, size_t count) {
  return count == 1 ? std::to_string(first) : fmt::format("{},{}", count ? first : first - 1, count);
}

}  // namespace

std::string edited(const std::string& text, const std::string& file, std::vector<LineEdit> edits) {
  std::erase_if(edits, [&](const LineEdit& e) { return e.file != file; });
  std::ranges::stable_sort(edits, std::greater(),
                           &LineEdit::line);  // from the end: lines before stay in place
  std::vector<std::string> lines = lines_of(text);
  for (const LineEdit& e : edits) {
    const size_t first = std::min(size_t(std::max(e.line - 1, 0)), lines.size());
    const size_t end = std::min(first + size_t(std::max(e.removed, 0)), lines.size());
    lines.erase(lines.begin() + long(first), lines.begin() + long(end));
    std::vector<std::string> inserted;
    for (const std::string& line : e.inserted) inserted.push_back(line + "\n");
    lines.insert(lines.begin() + long(first), inserted.begin(), inserted.end());
  }
  std::string all;
  for (const std::string& line : lines) all += line;
  return all;
}

std::string unified_diff(const std::string& path, const std::string& before, const std::string& after) {
  if (before == after) return "";
  constexpr size_t around = 3;
  const std::vector<DiffLine> all = difference(lines_of(before), lines_of(after));
  std::string s = fmt::format("--- {}\n+++ {}\n", path, path);
  size_t old_line = 1, new_line = 1;
  for (size_t k = 0; k < all.size();) {
    size_t change = k;
    while (change < all.size() && all[change].mark == ' ') ++change;
    if (change == all.size()) break;
    const size_t first = std::max(k, change > around ? change - around : 0);
    old_line += first - k, new_line += first - k;
    size_t last = change, end = change;  // one behind the hunk's last change, and behind the hunk
    for (size_t at = change; at < all.size() && at < last + 2 * around + 1; ++at)
      if (all[at].mark != ' ') last = at + 1;
    end = std::min(last + around, all.size());
    std::string hunk;
    size_t olds = 0, news = 0;
    for (size_t at = first; at < end; ++at) {
      hunk += all[at].mark + all[at].text;
      if (!all[at].text.ends_with('\n')) hunk += "\n\\ No newline at end of file\n";
      olds += all[at].mark != '+';
      news += all[at].mark != '-';
    }
    s += fmt::format("@@ -{} +{} @@\n", range_text(old_line, olds), range_text(new_line, news)) + hunk;
    old_line += olds, new_line += news;
    k = end;
  }
  return s;
}

}  // namespace bscope::cuda
