#include "app/session.hpp"

#include "engine/trace/file.hpp"

namespace bscope {
namespace {

/// The report points into the trace, so both are made where they stay.
std::shared_ptr<const Run> analysed(Trace&& trace) {
  auto run = std::make_shared<Run>();
  run->trace = std::move(trace);
  run->report = analyse(run->trace);
  return run;
}

}  // namespace

std::shared_ptr<const Run> open_run(const Request& request, Device device, const Schedule& schedule) {
  const Algorithm& algorithm = find(request.kernel);
  const Problem problem = make_problem(algorithm, request);
  return analysed(
      run(algorithm, problem, device, schedule, [](const Trace& first) { return order_matters(first); }));
}

std::shared_ptr<const Run> open_file(const std::string& path) { return analysed(load(path)); }

}  // namespace bscope
