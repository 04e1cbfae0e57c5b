// One recorded block of Kogge-Stone, on both schedules. Prints one JSON object: seconds a run of 1024
// threads, each from the program's input to the finished trace, which benchmarks/simulator.py sets beside
// numba's CUDA simulator; and nanoseconds an event for blocks of 32 to 1024 threads.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/trace.hpp"

namespace {
using namespace bscope;

struct Times {
  double median, least;
};
Times time_runs(const Algorithm& a, const Problem& p, Schedule::Policy kind, int runs) {
  std::vector<double> seconds;
  for (int k = 0; k < runs; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    const Trace t = a.cpu(p, {kind});
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (t.events() < 32) std::abort();  // keeps the run from being left out
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[size_t(runs) / 2], seconds[0]};
}
}  // namespace

int main() {
  const Algorithm& a = find("scan/kogge-stone");
  const auto block_of = [&](int threads) {
    RunSpec r;
    r.n = threads;
    r.block = threads;
    return make_problem(a, r);
  };
  const Problem p = block_of(1024);
  const Times fast = time_runs(a, p, Schedule::to_barrier, 200),
              lockstep = time_runs(a, p, Schedule::lockstep, 200);
  std::printf(
      "{\"events\": %zu,\n \"to_barrier\": {\"median\": %.6g, \"min\": %.6g},\n"
      " \"lockstep\": {\"median\": %.6g, \"min\": %.6g},\n \"ns_per_event\": {",
      a.cpu(p, {}).events(), fast.median, fast.least, lockstep.median, lockstep.least);
  for (int threads = 32; threads <= 1024; threads *= 2) {
    const Problem one = block_of(threads);
    const auto ns = [&](Schedule::Policy kind) {
      return time_runs(a, one, kind, 200 * 1024 / threads).median * 1e9 / double(a.cpu(one, {kind}).events());
    };
    std::printf("%s\n   \"%d\": {\"to_barrier\": %.1f, \"lockstep\": %.1f}", threads > 32 ? "," : "", threads,
                ns(Schedule::to_barrier), ns(Schedule::lockstep));
  }
  std::printf("}}\n");
}
