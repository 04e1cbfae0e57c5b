#include "app/state/fuzzy.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace bscope {
namespace {

struct Letter {
  uint32_t code = 0;  ///< lower case, where ASCII has one; else its bytes
  int at = 0;
  bool starts = false;  ///< a word, or it is no letter of an alphabet
};

std::vector<Letter> letters(std::string_view s) {
  std::vector<Letter> out;
  bool word = false;
  for (size_t i = 0; i < s.size();) {
    size_t end = i + 1;
    while (end < s.size() && (uint8_t(s[end]) & 0xc0) == 0x80) ++end;
    Letter l{0, int(i), true};
    for (size_t k = i; k < end; ++k) l.code = l.code << 8 | uint8_t(s[k]);
    if (end == i + 1) {
      const bool alphabetic = std::isalnum(int(l.code)) != 0;
      l.code = uint32_t(std::tolower(int(l.code)));
      l.starts = alphabetic && !word;
      word = alphabetic;
    } else {
      word = false;
    }
    out.push_back(l);
    i = end;
  }
  return out;
}

}  // namespace

std::optional<Match> fuzzy(std::string_view typed, std::string_view text) {
  std::vector<Letter> wanted = letters(typed);
  std::erase_if(wanted, [](const Letter& l) { return l.code == ' '; });
  if (wanted.empty()) return Match{};
  const std::vector<Letter> there = letters(text);
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
