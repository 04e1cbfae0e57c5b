#include "engine/analysis/listed.hpp"

#include <string>

namespace bscope {
namespace {

/// The ranges but the last, without the first letter; the last range, and how many numbers are left.
struct NumberList {
  std::string first = {}, last = {};
  size_t more = 0;
};

NumberList listed(const std::vector<int>& numbers, const std::string& letter) {
  constexpr size_t most = 8;
  std::vector<std::string> ranges;
  size_t told = 0;
  for (size_t i = 0; i < numbers.size() && ranges.size() < most;) {
    size_t j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1) ++j;
    if (j - i < 3)  // x16, x17, x18 is clearer than a range
      for (size_t k = i; k <= j; ++k) ranges.push_back(std::to_string(numbers[k]));
    else
      ranges.push_back(std::to_string(numbers[i]) + ".." + letter + std::to_string(numbers[j]));
    i = told = j + 1;
  }
  NumberList all{.more = numbers.size() - told};
  for (size_t k = 0; k < ranges.size(); ++k) {
    if (!all.more && k > 0 && k + 1 == ranges.size())
      all.last = ranges[k];
    else
      all.first += (k ? ", " + letter : "") + ranges[k];
  }
  return all;
}

}  // namespace

Message listed_inputs(const std::vector<int>& numbers) {
  const NumberList all = listed(numbers, "x");
  if (all.more) return message("x{} and {} more", all.first, all.more);
  return all.last.empty() ? message("x{}", all.first) : message("x{} and x{}", all.first, all.last);
}

Message listed_cells(const std::vector<int>& numbers) {
  const NumberList all = listed(numbers, "cell ");
  if (all.more) return message("cell {} and {} more", all.first, all.more);
  return all.last.empty() ? message("cell {}", all.first)
                          : message("cell {} and cell {}", all.first, all.last);
}

}  // namespace bscope
