#include "tests/analysis/moments_support.hpp"

#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope {

std::shared_ptr<const Run> traced_run(const RunSpec& request) {
  const Algorithm& algorithm = find(request.kernel);
  auto run = std::make_shared<Run>();
  run->trace = bscope::run(algorithm, make_problem(algorithm, request), Device::cpu, {},
                           [](const Trace& t) { return order_matters(t); });
  run->report = analyse(run->trace);
  return run;
}

RunQueries model_of(const std::string& kernel, long long n, long long block) {
  RunSpec r;
  r.kernel = kernel;
  if (n) r.n = n;
  if (block) r.block = block;
  return RunQueries(traced_run(r));
}

Moment moment_at(const Run& run, int step) {
  const Interval& v = run.report.flow.intervals[size_t(step)];
  Moment m;
  m.launch = v.launch;
  m.block = v.block;
  m.interval = v.index;
  return m;
}

}  // namespace bscope
