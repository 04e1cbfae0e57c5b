#include "engine/analysis/two_runs.hpp"

#include <algorithm>
#include <string>

#include "engine/analysis/facts.hpp"

namespace bscope {
namespace {

using Steps = std::vector<std::array<int, 2>>;

Steps by_interval(const TwoRuns& c) {
  const int rows[] = {int(c.sides[0].rows.size()), int(c.sides[1].rows.size())};
  Steps steps;
  for (int k = 0; k < std::max({rows[0], rows[1], 1}); ++k)
    steps.push_back({std::max(0, std::min(k, rows[0] - 1)), std::max(0, std::min(k, rows[1] - 1))});
  return steps;
}

struct PhaseRange {
  std::string name;
  int first, end;
};
std::vector<PhaseRange> phases(const RunRows& side) {
  std::vector<PhaseRange> all;
  for (int r = 0; r < int(side.rows.size()); ++r) {
    const auto& row = side.rows[size_t(r)];
    const bool same =
        r && side.rows[size_t(r) - 1].phase == row.phase && side.rows[size_t(r) - 1].launch == row.launch;
    if (!same) all.push_back({row.phase, r, r});
    all.back().end = r + 1;
  }
  return all;
}

/// Phases of the same name begin together (the longest common subsequence of names); what stands between
/// two such pairs runs beside what stands there on the other side. The side that is done waits.
Steps by_phase(const TwoRuns& c) {
  const auto left = phases(c.sides[0]), right = phases(c.sides[1]);
  const size_t n = left.size(), m = right.size();
  std::vector<std::vector<int>> common(n + 1, std::vector<int>(m + 1));
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      common[i][j] = left[i].name == right[j].name ? 1 + common[i + 1][j + 1]
                                                   : std::max(common[i + 1][j], common[i][j + 1]);
  Steps steps;
  int at[2] = {0, 0};  // rows shown so far
  const auto run_to = [&](int left_end, int right_end) {
    const int from[2] = {at[0], at[1]}, end[2] = {left_end, right_end};
    for (int k = 0; k < std::max(end[0] - from[0], end[1] - from[1]); ++k) {
      std::array<int, 2> step{};
      for (size_t s = 0; s < 2; ++s) step[s] = std::max(0, std::min(from[s] + k, end[s] - 1));
      steps.push_back(step);
    }
    at[0] = left_end, at[1] = right_end;
  };
  size_t i = 0, j = 0;
  while (i < n && j < m) {
    if (left[i].name == right[j].name) {
      run_to(left[i].first, right[j].first);  // the gap before the pair
      run_to(left[i].end, right[j].end);
      ++i, ++j;
    } else if (common[i + 1][j] >= common[i][j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  run_to(int(c.sides[0].rows.size()), int(c.sides[1].rows.size()));
  if (steps.empty()) steps.push_back({0, 0});
  return steps;
}

/// At each share of the work that one of the sides reaches, the last rows up to it.
Steps by_work(const TwoRuns& c) {
  std::array<std::vector<double>, 2> done;
  std::vector<double> shares{0};
  for (size_t s = 0; s < 2; ++s) {
    long all = 0, sum = 0;
    for (const auto& row : c.sides[s].rows) all += c.work(row);
    const double rows = double(c.sides[s].rows.size());
    for (size_t r = 0; r < c.sides[s].rows.size(); ++r) {
      sum += c.work(c.sides[s].rows[r]);
      done[s].push_back(all ? double(sum) / double(all) : double(r + 1) / rows);
    }
    shares.insert(shares.end(), done[s].begin(), done[s].end());
  }
  std::sort(shares.begin(), shares.end());
  constexpr double same = 1e-9;
  shares.erase(std::unique(shares.begin(), shares.end(), [](double a, double b) { return b - a < same; }),
               shares.end());
  Steps steps;
  for (const double share : shares) {
    std::array<int, 2> step{};
    for (size_t s = 0; s < 2; ++s)
      step[s] = std::max(
          0, int(std::upper_bound(done[s].begin(), done[s].end(), share + same) - done[s].begin()) - 1);
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

std::vector<std::string> TwoRuns::scales() const {
  std::vector<std::string> all{"work"};
  for (const Fact* f : sides[0].counted) all.push_back(f->asked_as());
  all.emplace_back("threads");
  return all;
}

long TwoRuns::count(const RunRows::RunRow& r, const std::string& scale) const {
  if (scale == "threads") return r.threads;
  const auto& all = sides[0].counted;
  const auto fact = std::ranges::find(all, scale, &Fact::asked_as);
  return fact == all.end() ? work(r) : r.counts[size_t(fact - all.begin())];
}

TwoRuns two_runs(const Report& left, const Report& right) {
  TwoRuns c;
  c.sides = {run_rows(left), run_rows(right)};
  c.atomics = c.sides[0].adds == 0 && c.sides[1].adds == 0;
  c.steps = {by_interval(c), by_phase(c), by_work(c)};
  return c;
}

int position_of(const TwoRuns& c, SyncBy sync, size_t side, int row) {
  const auto& steps = c.steps[size_t(sync)];
  const auto found =
      std::ranges::lower_bound(steps, row, {}, [&](const std::array<int, 2>& step) { return step[side]; });
  return found == steps.end() ? int(steps.size()) - 1 : int(found - steps.begin());
}

bool counts_alike(const TwoRuns& c) {
  const auto& [left, right] = c.sides;
  if (left.rows.size() != right.rows.size()) return false;
  for (const std::string& scale : c.scales()) {
    long counts[2] = {0, 0};
    for (size_t side = 0; side < 2; ++side)
      for (const RunRows::RunRow& row : c.sides[side].rows) counts[side] += c.count(row, scale);
    if (counts[0] != counts[1]) return false;
  }
  return true;
}

}  // namespace bscope
