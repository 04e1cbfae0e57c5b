#include "engine/catalog/edit_distance.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace bscope {

size_t edit_distance(std::string_view a, std::string_view b) {
  // no name is so long: what lies beyond is counted, not compared
  constexpr size_t longest = 64;
  if (a.size() > longest) return a.size() - longest + edit_distance(a.substr(0, longest), b);
  if (b.size() > longest) return b.size() - longest + edit_distance(a, b.substr(0, longest));
  std::vector<size_t> two_before, before(b.size() + 1), row(b.size() + 1);  // of the letters of `a`
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    two_before = std::exchange(before, std::exchange(row, std::vector<size_t>(b.size() + 1)));
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_before[j - 2] + 1);
    }
  }
  return row.back();
}

std::string nearest_name(std::string_view typed, const std::vector<std::string>& names) {
  std::string nearest;
  size_t least = typed.size() < 2 ? 1 : std::max<size_t>(1, typed.size() / 3) + 1;
  for (const std::string& name : names)
    if (const size_t distance = edit_distance(typed, name); distance < least)
      nearest = name, least = distance;
  return nearest;
}

}  // namespace bscope
