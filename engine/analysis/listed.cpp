#include "engine/analysis/listed.hpp"

namespace bscope {

std::string listed(const std::vector<int>& numbers, const std::string& letter) {
  constexpr size_t most = 8;
  std::vector<std::string> runs;
  size_t told = 0;
  for (size_t i = 0; i < numbers.size() && runs.size() < most;) {
    size_t j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1) ++j;
    if (j - i < 3)  // x16, x17, x18 is clearer than a run
      for (size_t k = i; k <= j; ++k) runs.push_back(letter + std::to_string(numbers[k]));
    else
      runs.push_back(letter + std::to_string(numbers[i]) + ".." + letter + std::to_string(numbers[j]));
    i = told = j + 1;
  }
  std::string s;
  for (size_t k = 0; k < runs.size(); ++k)
    s += (k == 0 ? "" : k + 1 < runs.size() || told < numbers.size() ? ", " : " and ") + runs[k];
  if (told < numbers.size()) s += " and " + std::to_string(numbers.size() - told) + " more";
  return s;
}

}  // namespace bscope
