#include "app/tabs/compare/telling.hpp"

#include "app/session/input.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/steps.hpp"

namespace bscope {

bool counts_alike(const Comparison& c) {
  const auto& [left, right] = c.sides;
  if (left.rows.size() != right.rows.size()) return false;
  for (int scale = 0; scale < compare_scales; ++scale) {
    long counts[2] = {0, 0};
    for (size_t side = 0; side < 2; ++side)
      for (const CompareSide::Row& row : c.sides[side].rows) counts[side] += c.count(row, CompareBy(scale));
    if (counts[0] != counts[1]) return false;
  }
  return true;
}

State with_open_length(State s, long long n, Where where, const Open& open) {
  Target t = s.target;
  t.request = with_length(t, *s.run, n);
  t.file.clear();
  return opened(std::move(s), t, where, open);
}

std::optional<long long> telling_length(const State& s, const Open& open) {
  if (s.target.is_file() || !s.of<CompareState>().right.file.empty() || s.of<CompareState>().right.n)
    return {};
  const auto now = (long long)s.run->report.input.size();
  for (long long n = 1; n <= 512; n *= 2) {
    if (n <= now) continue;
    const State longer = compared(with_open_length(s, n, Where::compare, open), open);
    if (!longer.error.empty()) return {};
    if (longer.of<CompareState>().comparison && !counts_alike(*longer.of<CompareState>().comparison))
      return n;
  }
  return {};
}

}  // namespace bscope
