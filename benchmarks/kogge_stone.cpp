// One recorded block of 1024 threads of Kogge-Stone, on both schedules. Prints one JSON object: seconds a
// run, each from the program's input to the finished trace. benchmarks/simulator.py sets it beside numba's
// CUDA simulator.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "engine/catalog/catalog.hpp"

namespace {
using namespace bscope;

struct Times {
  double median, least;
};
Times time_runs(const Algorithm& a, const Problem& p, Schedule::Kind kind) {
  constexpr int runs = 200;
  std::vector<double> seconds;
  for (int k = 0; k < runs; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    const Trace t = a.cpu(p, {kind});
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    if (t.events() < 1024) std::abort();  // keeps the run from being left out
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[runs / 2], seconds[0]};
}
}  // namespace

int main() {
  Request r;
  r.kernel = "scan/kogge-stone";
  r.n = 1024;
  r.block = 1024;
  const Algorithm& a = find(r.kernel);
  const Problem p = make_problem(a, r);
  const Times fast = time_runs(a, p, Schedule::to_barrier), lockstep = time_runs(a, p, Schedule::lockstep);
  std::printf(
      "{\"events\": %zu, \"to_barrier\": {\"median\": %.6g, \"min\": %.6g}, "
      "\"lockstep\": {\"median\": %.6g, \"min\": %.6g}}\n",
      a.cpu(p, {}).events(), fast.median, fast.least, lockstep.median, lockstep.least);
}
