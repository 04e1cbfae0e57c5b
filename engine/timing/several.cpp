#include "engine/timing/several.hpp"

#include <algorithm>
#include <string>

namespace bscope {

std::vector<InputPart> parts_of(long long n, int parts) {
  const long long vectors = n / 4 + (n % 4 != 0), each = vectors / parts;
  if (each == 0)
    throw UsageError("--n " + std::to_string(n) + " is too small for " + std::to_string(parts) +
                     " GPUs: each takes at least one vector of 4 numbers, so use at least " +
                     std::to_string(4LL * parts - 3));
  std::vector<InputPart> all;
  long long first = 0;
  for (int k = 0; k < parts; ++k) {
    // the longer ones come last: what the last vector lacks shortens one of them
    const long long mine = each + (k >= parts - vectors % parts);
    all.push_back({first, std::min(4 * mine, n - first)});
    first += 4 * mine;
  }
  return all;
}

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
  const Promise promise = a.promise(p);
  if (promise != Promise::reduction && promise != Promise::inclusive_scan &&
      promise != Promise::exclusive_scan)
    throw UsageError(a.name + " runs on one GPU only: several share reductions and scans; leave out --gpus");
  if (const std::string op = p.text("operator", "add"); op != "add")
    throw UsageError("several GPUs share sums only: leave out --set operator=" + op + ", or --gpus");
  if (!p.made)
    throw UsageError(
        "each of several GPUs makes its part of the input itself: use --n and --pattern instead of --values, "
        "--input or --preset, or leave out --gpus");
}

}  // namespace bscope
