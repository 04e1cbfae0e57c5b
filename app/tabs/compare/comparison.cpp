// How two runs go together: their positions, their names, and what differs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/chart.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/compare/sheet.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

using Steps = std::vector<std::array<int, 2>>;

Steps by_interval(const Comparison& c) {
  const int rows[] = {int(c.sides[0].rows.size()), int(c.sides[1].rows.size())};
  Steps steps;
  for (int k = 0; k < std::max({rows[0], rows[1], 1}); ++k)
    steps.push_back({std::max(0, std::min(k, rows[0] - 1)), std::max(0, std::min(k, rows[1] - 1))});
  return steps;
}

struct Phase {
  std::string name;
  int first, end;
};
std::vector<Phase> phases(const CompareSide& side) {
  std::vector<Phase> all;
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
/// two such pairs runs beside what stands there on the other side. Who is done waits.
Steps by_phase(const Comparison& c) {
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
Steps by_work(const Comparison& c) {
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

long Comparison::count(const CompareSide::Row& r, CompareBy by) const {
  switch (by) {
    case CompareBy::wavefronts: return r.wavefronts;
    case CompareBy::sectors: return r.sectors;
    case CompareBy::threads: return r.threads;
    default: return work(r);
  }
}

Comparison comparison(std::shared_ptr<const Run> left, std::shared_ptr<const Run> right) {
  Comparison c;
  c.sides = {compare_side(*left), compare_side(*right)};
  c.totals = {total(left->report.requests()), total(right->report.requests())};
  c.runs = {std::move(left), std::move(right)};
  c.atomics = c.sides[0].adds == 0 && c.sides[1].adds == 0;
  c.steps = {by_interval(c), by_phase(c), by_work(c)};
  return c;
}

std::array<std::string, 2> names_of(const Comparison& c) {
  const Trace &a = c.runs[0]->trace, &b = c.runs[1]->trace;
  std::array<std::string, 2> names{said(title_of(a.kernel)), said(title_of(b.kernel))};
  if (a.kernel != b.kernel) return names;
  for (const auto& [key, value] : a.parameters)
    if (const std::string other = parameter_of(b, key); other != value) {
      names[0] += ", " + key + " = " + value;
      names[1] += ", " + key + " = " + other;
      return names;
    }
  if (a.device != b.device) names[0] += ", " + a.device, names[1] += ", " + b.device;
  return names;
}

std::array<std::string, 2> quoted_names(std::array<std::string, 2> names) {
  const auto has_comma = [](const std::string& s) {
    return s.find(", ") != std::string::npos || s.find("\uff0c") != std::string::npos;
  };
  if (has_comma(names[0]) || has_comma(names[1]))
    for (std::string& name : names) name = "\u201c" + name + "\u201d";
  return names;
}

std::string ratio_words(const std::string& of, long first, long second) {
  if (first == second) return say("as many {}", of);
  if (first == 0) return say("{} {} instead of none", grouped(second), of);
  if (second == 0) return say("no {}", of);
  if (second * 2 == first) return say("half the {}", of);
  if (second == first * 2) return say("twice the {}", of);
  const double ratio = double(second) / double(first);
  if (ratio < 0.995)
    return say("{}% of the {}", fmt::format("{:.{}f}", 100 * ratio, ratio < 0.1 ? 1 : 0), of);
  if (ratio < 1.095) return say("{}% more {}", fmt::format("{:.1f}", 100 * ratio - 100), of);
  return say("{} times the {}", fmt::format("{:.1f}", ratio), of);
}

std::string difference(const Comparison& c) {
  const auto names = quoted_names(names_of(c));
  const auto count = [&](const auto& f) { return std::array<long, 2>{f(0), f(1)}; };
  struct Part {
    std::string of;
    std::array<long, 2> counts;
  };
  std::vector<Part> parts;
  const auto add = [&](std::string_view of, std::array<long, 2> counts) {
    if (counts[0] || counts[1]) parts.push_back({std::string(of), counts});
  };
  const auto work =
      count([&](size_t s) { return c.atomics ? c.sides[s].atomics : c.runs[s]->report.work().adds; });
  add(c.atomics ? say("atomics") : say("adds"), work);
  add(say("steps"), count([&](size_t s) { return long(c.sides[s].rows.size()); }));
  add(say("wavefronts"), count([&](size_t s) { return c.totals[s].shared_wavefronts; }));
  add(say("sectors"), count([&](size_t s) { return c.totals[s].global_sectors; }));
  // what is alike is said only where it is the news: both of the first two, or nothing differs
  std::string words;
  int differing = 0;
  for (const Part& p : parts) differing += p.counts[0] != p.counts[1];
  if (!differing) return say("{} counts the same as {}.", names[1], names[0]);
  for (size_t k = 0; k < parts.size(); ++k) {
    const Part& p = parts[k];
    if (k > 1 && p.counts[0] == p.counts[1]) continue;
    words += (words.empty() ? std::string() : say(", ")) + ratio_words(p.of, p.counts[0], p.counts[1]);
  }
  return say("{} beside {}: {}.", names[1], names[0], words);
}

}  // namespace bscope
