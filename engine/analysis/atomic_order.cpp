#include "engine/analysis/atomic_order.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace bscope {

bool told_by_values(std::span<const AtomicStep> steps) {
  // A step that changes nothing (an atomic add of zero) must have its place too: what it adds is part of the
  // sum.
  std::vector<uint64_t> found;
  for (const AtomicStep& s : steps) found.push_back(s.from);
  std::sort(found.begin(), found.end());
  return std::adjacent_find(found.begin(), found.end()) == found.end();
}

std::vector<int> euler_trail(uint64_t start, std::span<const AtomicStep> steps) {
  std::unordered_map<uint64_t, std::vector<int>> leaving;
  for (int k = int(steps.size()); k-- > 0;)
    leaving[steps[k].from].push_back(k);  // the first given goes first
  std::vector<int> trail;
  std::vector<std::pair<uint64_t, int>> path{{start, -1}};  // a value, and the step that led to it
  while (!path.empty()) {
    const auto it = leaving.find(path.back().first);
    if (it == leaving.end() || it->second.empty()) {
      if (path.back().second >= 0) trail.push_back(path.back().second);
      path.pop_back();
    } else {
      const int step = it->second.back();
      it->second.pop_back();
      path.emplace_back(steps[step].to, step);
    }
  }
  std::reverse(trail.begin(), trail.end());
  uint64_t value = start;
  for (int k : trail) {
    if (steps[k].from != value) return {};
    value = steps[k].to;
  }
  return trail.size() == steps.size() ? trail : std::vector<int>{};
}

}  // namespace bscope
