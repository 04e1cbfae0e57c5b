#include "engine/timing/statistics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace bscope {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Statistics summarise(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::sort(seconds.begin(), seconds.end());
  const double n = double(seconds.size());
  // from 0 to n - 1; a median of an even number lies between two samples
  const auto at_rank = [&](double rank) {
    rank = std::clamp(rank, 0.0, n - 1);
    const size_t below = size_t(rank);
    const double above = seconds[std::min(below + 1, seconds.size() - 1)];
    return seconds[below] + (rank - double(below)) * (above - seconds[below]);
  };
  Statistics s{at_rank((n - 1) / 2), seconds.front(), seconds.back(), 0};
  const double reach = std::ceil(std::sqrt(n) / 2);
  if (s.median > 0) s.noise = (at_rank((n - 1) / 2 + reach) - at_rank((n - 1) / 2 - reach)) / 2 / s.median;
  return s;
}

double quartile_distance(std::vector<double> samples) {
  if (samples.size() < 2) return 0;
  std::sort(samples.begin(), samples.end());
  // the i-th of four parts of n samples ends at rank i (n + 1) / 4, counted from 1
  const auto at = [&](double rank) {
    rank = std::clamp(rank, 1.0, double(samples.size()));
    const size_t below = std::min(size_t(rank), samples.size() - 1);
    return samples[below - 1] + (rank - double(below)) * (samples[below] - samples[below - 1]);
  };
  const double quarter = double(samples.size() + 1) / 4, median = at(2 * quarter);
  return median > 0 ? (at(3 * quarter) - at(quarter)) / median : 0;
}

bool enough_samples(const std::vector<double>& samples, double seconds, const Patience& p) {
  const int taken = int(samples.size());
  return taken >= p.most || seconds >= p.seconds || (taken >= p.least && summarise(samples).noise < p.noise);
}

std::vector<double> sample(const Patience& p, const std::function<double()>& once) {
  std::vector<double> all;
  const auto start = Clock::now();
  do all.push_back(once());
  while (!enough_samples(all, since(start), p));
  return all;
}

std::function<double()> wall_clock(std::function<void()> f) {
  constexpr double shortest = 50e-6;
  f();
  long calls = 1;
  for (;;) {
    const auto start = Clock::now();
    for (long k = 0; k < calls; ++k) f();
    if (since(start) >= shortest) break;
    calls *= 2;
  }
  return [f = std::move(f), calls] {
    const auto start = Clock::now();
    for (long k = 0; k < calls; ++k) f();
    return since(start) / double(calls);
  };
}

}  // namespace bscope
