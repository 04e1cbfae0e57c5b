#include "app/session.hpp"

#include <optional>

#include "engine/trace/file.hpp"

namespace bscope {
namespace {

/// The report points into the trace, so both are made where they stay.
std::shared_ptr<const Run> analysed(Trace&& trace, std::optional<Flow> flow = {}) {
  auto run = std::make_shared<Run>();
  run->trace = std::move(trace);
  run->report = flow ? analyse(run->trace, std::move(*flow)) : analyse(run->trace);
  run->report.words();  // the first picture asks for these
  run->report.lost();
  return run;
}

}  // namespace

std::shared_ptr<const Run> open_run(const Request& request, Device device, const Schedule& schedule) {
  const Algorithm& algorithm = find(request.kernel);
  const Problem problem = make_problem(algorithm, request);
  std::optional<Flow> flow;  // of the first run, if there is no second: it goes where its trace goes
  Trace trace = run(algorithm, problem, device, schedule, [&](const Trace& first) {
    flow = follow(first);
    if (order_matters(first, *flow)) flow.reset();
    return !flow;
  });
  return analysed(std::move(trace), std::move(flow));
}

std::shared_ptr<const Run> open_file(const std::string& path, std::string* session) {
  return analysed(load(path, session));
}

}  // namespace bscope
