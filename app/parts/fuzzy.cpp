#include "app/parts/fuzzy.hpp"

#include <algorithm>
#include <cctype>

#include "app/draw/letters.hpp"

namespace bscope {
namespace {

struct Sign {
  char32_t code = 0;  ///< lower case, where ASCII has one
  int at = 0;
  bool starts = false;  ///< a word, or it is no letter of an alphabet
};

std::vector<Sign> signs(std::string_view s) {
  std::vector<Sign> out;
  bool word = false;
  for (size_t i = 0; i < s.size();) {
    const Letter l = letter_at(s, i);
    const bool ascii = l.code < 0x80, alphabetic = ascii && std::isalnum(int(l.code));
    out.push_back(
        {ascii ? char32_t(std::tolower(int(l.code))) : l.code, int(i), !ascii || (alphabetic && !word)});
    word = alphabetic;
    i = l.end;
  }
  return out;
}

}  // namespace

std::optional<Match> fuzzy(std::string_view typed, std::string_view text) {
  std::vector<Sign> wanted = signs(typed);
  std::erase_if(wanted, [](const Sign& l) { return l.code == ' '; });
  if (wanted.empty()) return Match{};
  const std::vector<Sign> there = signs(text);
  const size_t n = wanted.size(), m = there.size();
  if (n > m) return {};
  // best[i][j]: of the first i + 1 letters with the last of them at j
  constexpr int none = -1000000;
  std::vector<std::vector<int>> best(n, std::vector<int>(m, none)), from(n, std::vector<int>(m, -1));
  for (size_t i = 0; i < n; ++i) {
    int before = none, before_at = -1;  // the best of row i - 1 left of j - 1
    for (size_t j = i; j < m; ++j) {
      if (i > 0 && j >= 2 && best[i - 1][j - 2] > before) {
        before = best[i - 1][j - 2];
        before_at = int(j) - 2;
      }
      if (wanted[i].code != there[j].code) continue;
      const int here = there[j].starts ? 12 : 1;
      if (i == 0) {
        best[i][j] = here - std::min(int(j), 10);
        continue;
      }
      const int run = best[i - 1][j - 1] == none ? none : best[i - 1][j - 1] + 8;
      const int gap = before == none ? none : before - 2;
      if (std::max(run, gap) == none) continue;
      best[i][j] = std::max(run, gap) + here;
      from[i][j] = run >= gap ? int(j) - 1 : before_at;
    }
  }
  const auto& last = best[n - 1];
  const auto top = std::max_element(last.begin(), last.end());
  if (*top == none) return {};
  Match match{*top - std::min(int(m), 60) / 6, std::vector<int>(n)};
  int j = int(top - last.begin());
  for (size_t i = n; i-- > 0; j = from[i][size_t(j)]) match.bytes[i] = there[size_t(j)].at;
  return match;
}

}  // namespace bscope
