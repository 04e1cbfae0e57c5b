#include "engine/cuda/on_gpu/in_place.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace bscope::cuda {
namespace {

/// A kernel, and the seconds of its launches run by run.
struct Gathered {
  LaunchConfiguration shape;
  std::vector<std::vector<double>> runs;
};

std::vector<Gathered> gathered(const std::vector<LaunchRecord>& records) {
  std::vector<Gathered> all;
  for (size_t run = 0; run < records.size(); ++run)
    for (const TimedLaunch& l : records[run].launches) {
      auto of = std::ranges::find(all, l.shape, &Gathered::shape);
      if (of == all.end()) of = all.insert(all.end(), {l.shape, {}});
      of->runs.resize(records.size());
      of->runs[run].push_back(l.seconds);
    }
  return all;
}

TimedKernel timed(const Gathered& g) {
  TimedKernel k;
  k.shape = g.shape;
  std::vector<double> totals;
  for (const std::vector<double>& run : g.runs) {
    if (run.empty()) continue;
    if (!k.launches) k.launches = int(run.size());
    k.samples.push_back(summarise(run).median);
    double sum = 0;
    for (const double s : run) sum += s;
    totals.push_back(sum);
  }
  k.seconds = summarise(k.samples);
  k.total_seconds = summarise(std::move(totals)).median;
  return k;
}

void note(const std::vector<LaunchRecord>& records, const std::vector<Gathered>& kernels, InPlace& p) {
  const auto most = [&](long LaunchRecord::*what) {
    long n = 0;
    for (const LaunchRecord& r : records) n = std::max(n, r.*what);
    return n;
  };
  if (const long n = most(&LaunchRecord::graphs))
    p.notes.emplace_back(
        n == 1
            ? message("one launch of a graph is not timed: what is in a graph cannot be timed in place")
            : message("{} launches of graphs are not timed: what is in a graph cannot be timed in place", n));
  if (const long n = most(&LaunchRecord::failed))
    p.notes.emplace_back(n == 1 ? message("one launch failed or could not be timed")
                                : message("{} launches failed or could not be timed", n));
  if (!std::ranges::all_of(records, &LaunchRecord::ended))
    p.notes.emplace_back(message("a run did not come to its end: launches may be missing"));
  const bool differ = std::ranges::any_of(kernels, [](const Gathered& g) {
    return std::ranges::any_of(g.runs, [&](const auto& run) { return run.size() != g.runs[0].size(); });
  });
  if (differ)
    p.notes.emplace_back(
        message("the runs launch their kernels not equally often: launches are those of the first"));
}

}  // namespace

double gb_per_s(const TimedKernel& k) {
  return k.bytes > 0 && k.seconds.median > 0 ? k.bytes / k.seconds.median / 1e9 : 0;
}

void merge(InPlace& p, const std::vector<LaunchRecord>& records) {
  if (records.empty()) return;
  p.runs = int(records.size());
  p.device = records.front().device;
  p.driver = records.front().driver;
  p.peak_gb_per_s = records.front().peak_gb_per_s;
  std::vector<double> empty;
  for (const LaunchRecord& r : records)
    if (r.empty_seconds > 0) empty.push_back(r.empty_seconds);
  p.empty_seconds = summarise(std::move(empty)).median;
  const std::vector<Gathered> kernels = gathered(records);
  for (const Gathered& g : kernels) p.kernels.push_back(timed(g));
  note(records, kernels, p);
}

}  // namespace bscope::cuda
