#include "app/run/run.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "app/run/cuda_text.hpp"
#include "app/run/memory.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/other_order.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/progress.hpp"

namespace bscope {
namespace {

/// The report points into the trace, so both are made where they stay.
std::shared_ptr<const Run> analysed(Trace&& trace, std::optional<DataflowGraph> flow, OtherOrder other,
                                    bool in_cuda) {
  auto run = std::make_shared<Run>();
  run->trace = std::move(trace);
  if (!flow) flow = replay_trace(run->trace);
  if (in_cuda) take_cuda_lines(run->trace, *flow, other);
  unite(run->trace, *flow, other);
  looked_at(0.5f);
  run->report = analyse(run->trace, std::move(*flow));
  looked_at(0.7f);
  run->report.words();  // the first picture asks for these
  looked_at(0.9f);
  run->report.lost();
  looked_at(1);
  return run;
}

}  // namespace

std::shared_ptr<const Run> analysed(Trace&& trace) { return analysed(std::move(trace), {}, {}, false); }
std::shared_ptr<const Run> analysed(Trace&& trace, const OtherOrder& other) {
  return analysed(std::move(trace), {}, other, false);
}

const Algorithm* algorithm_of(std::string_view kernel) {
  const auto& all = catalog();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Algorithm* a) { return a->name == kernel; });
  return found == all.end() ? nullptr : *found;
}

std::string parameter_of(const Trace& t, std::string_view name) {
  for (const auto& [key, value] : t.parameters)
    if (key == name) return value;
  return {};
}

std::optional<long long> as_whole(std::string_view text) {
  long long v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return v;
}

bool is_large(const Run& r) { return r.trace.events() > 100'000; }

std::shared_ptr<const Run> open_run(const RunSpec& request) { return open_run(request, Device::cpu); }
std::shared_ptr<const Run> open_run(const RunSpec& request, Device device) {
  return open_run(request, device, {});
}
std::shared_ptr<const Run> open_run(const RunSpec& request, Device device, const Schedule& schedule,
                                    bool in_cuda) {
  const Algorithm& algorithm = find(request.kernel);
  const Problem problem = make_problem(algorithm, request);
  if (current_progress) current_progress->expected = size_t(expected_cost(algorithm, problem).events);
  std::optional<DataflowGraph> flow;  // of the first run, if there is no second: it goes where its trace goes
  OtherOrder other;                   // of the first run, if there is a second
  Trace trace = run(algorithm, problem, device, schedule, [&](const Trace& first) {
    looked_at(0.1f);
    flow = replay_trace(first);
    if (!order_matters(first, *flow)) return false;
    other = shown_by(first, *flow);
    flow.reset();
    return true;
  });
  return analysed(std::move(trace), std::move(flow), std::move(other), in_cuda);
}

std::shared_ptr<const Run> open_file(const std::string& path, std::string* session, bool in_cuda) {
  refuse_if_too_large(path);
  Trace trace = load(path, session);
  refuse_if_too_large(path, trace);
  return analysed(std::move(trace), {}, {}, in_cuda);
}

}  // namespace bscope
