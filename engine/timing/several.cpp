#include "engine/timing/several.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

std::vector<InputPart> parts_of(long long n, const std::vector<int>& weights, int gpus) {
  const long long vectors = n / 4 + (n % 4 != 0), all = std::reduce(weights.begin(), weights.end());
  if (vectors < all)
    throw UsageError(message(
        "--n {} is too small for {} GPUs, whose pieces are whole vectors of 4 numbers: use at least {}", n,
        gpus, 4 * all - 3));
  std::vector<InputPart> parts;
  long long first = 0, before = 0;
  for (const int weight : weights) {
    before += weight;
    const long long end = std::min(4 * (vectors * before / all), n);
    parts.push_back({first, end - first});
    first = end;
  }
  return parts;
}

std::vector<std::vector<InputPart>> shares_of(Property property, long long n, int gpus) {
  const bool scans = property == Property::inclusive_scan || property == Property::exclusive_scan;
  std::vector<std::vector<InputPart>> shares;
  if (!scans || gpus == 1) {
    for (const InputPart& part : parts_of(n, std::vector<int>(size_t(gpus), 1), gpus))
      shares.push_back({part});
    return shares;
  }
  std::vector<int> weights(size_t(gpus) + 1, 2);
  weights.front() = 1;
  const std::vector<InputPart> parts = parts_of(n, weights, gpus);
  shares.push_back({parts.front(), parts.back()});
  for (size_t k = 1; k + 1 < parts.size(); ++k) shares.push_back({parts[k]});
  return shares;
}

double most_speed_up(int passes, int gpus) { return passes == 1 ? gpus : (2.0 * gpus + 1) / 3; }

Problem problem_of(const Problem& whole, const InputPart& part) {
  Problem p = whole;
  p.made->first += part.first;
  p.made->n = part.n;
  return p;
}

std::vector<int> gpu_counts(int gpus) {
  std::vector<int> counts;
  for (int k = 1; k < gpus; k *= 2) counts.push_back(k);
  counts.push_back(gpus);
  return counts;
}

void check_shared(const Algorithm& a, const Problem& p) {
  const Property property = a.property(p);
  if (property == Property::none)
    throw UsageError(message(
        "{} runs on one GPU only: several share what is a reduction, a scan or a histogram; leave out --gpus",
        a.name));
  if (const std::string op = p.text("operator", "add"); op != "add")
    throw UsageError(message("several GPUs share sums only: leave out --set operator={}, or --gpus", op));
  if (!p.made)
    throw UsageError(message(
        "each of several GPUs makes its part of the input itself: use --n and --pattern instead of --values, "
        "--input or --preset, or leave out --gpus"));
}

std::unique_ptr<Meter> several_gpus(int gpus, const Patience& patience, std::function<bool()> stop) {
  std::vector<int> all(size_t(gpus), 0);
  std::iota(all.begin(), all.end(), 0);
  return gpus_together(all, patience, std::move(stop));
}

}  // namespace bscope
