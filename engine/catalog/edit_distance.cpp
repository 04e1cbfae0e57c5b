#include "engine/catalog/edit_distance.hpp"

#include <algorithm>
#include <vector>

namespace bscope {

size_t edit_distance(std::string_view a, std::string_view b) {
  // no name is so long: what lies beyond is counted, not compared
  constexpr size_t longest = 64;
  if (a.size() > longest) return a.size() - longest + edit_distance(a.substr(0, longest), b);
  if (b.size() > longest) return b.size() - longest + edit_distance(a, b.substr(0, longest));
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace bscope
