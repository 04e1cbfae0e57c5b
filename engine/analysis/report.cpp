#include "engine/analysis/report.hpp"

#include <cmath>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "engine/analysis/active_lanes.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/contention.hpp"
#include "engine/analysis/library_calls.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/lost_inputs.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/source_loops.hpp"
#include "engine/analysis/stalled_sums.hpp"
#include "engine/analysis/work.hpp"

namespace bscope {
namespace {

std::vector<double> numbers(ElementType kind, const std::vector<std::byte>& bytes) {
  std::vector<double> all;
  const size_t width = size_t(bytes_of(kind));
  if (!width) return all;
  all.reserve(bytes.size() / width);
  for (size_t k = 0; k + width <= bytes.size(); k += width) all.push_back(number(kind, bytes.data() + k));
  return all;
}

/// The distance from 1 to the next number.
double unit_of(ElementType kind) {
  switch (kind) {
    case ElementType::f16: return 1.0 / 1024;
    case ElementType::bf16: return 1.0 / 128;
    case ElementType::f32: return std::numeric_limits<float>::epsilon();
    default: return std::numeric_limits<double>::epsilon();
  }
}

/// How far a floating-point result may be off: each of n roundings by half a unit of the largest sum there
/// can be on the way.
double tolerance(const Trace& trace, const Report& r, ElementType kind) {
  if (!is_float(kind)) return 0;
  double power = 1;
  for (const auto& [name, value] : trace.parameters)
    if (name == "of") power = value == "squares" ? 2 : value == "cubes" ? 3 : 1;
  double largest = 0;
  for (double x : r.input) largest += std::pow(std::abs(x), power);
  for (double x : r.expected) largest = std::max(largest, std::abs(x));
  return unit_of(kind) * double(r.input.size() + 1) * largest;
}

bool equal(const Trace& trace, const Report& r, ElementType kind) {
  if (r.expected.empty() || r.output.size() < r.expected.size()) return false;
  const double most = tolerance(trace, r, kind);
  for (size_t k = 0; k < r.expected.size(); ++k) {
    const double got = r.output[k], want = r.expected[k];
    if (got == want || (std::isnan(got) && std::isnan(want))) continue;
    if (!(std::abs(got - want) <= most)) return false;
  }
  return true;
}

long count_barriers(const DataflowGraph& flow) {
  long n = 0;
  for (const Interval& v : flow.intervals) n += v.line != 0;
  return n;
}

}  // namespace

/// Each answer with the flag that says it is there.
struct Report::Answers {
  template <class T>
  struct CachedResult {
    std::once_flag asked;
    T value{};
    template <class F>
    const T& get(F f) {
      std::call_once(asked, [&] { value = f(); });
      return value;
    }
  };
  CachedResult<WordTable> words;
  CachedResult<std::vector<SourceLoops>> source_loops;  // of the trace's sources, for requests
  CachedResult<std::vector<WarpAccess>> requests;
  CachedResult<Contention> contention;
  CachedResult<Lost> lost;
  CachedResult<Proof> proof;
  CachedResult<Work> work;
  CachedResult<std::vector<LinesActiveLanes>> active_lanes;
  CachedResult<int> span;
  std::mutex mutex;  // of what follows
  std::unordered_map<size_t, std::vector<WarpAccess>> requests_of;

  std::span<const SourceLoops> loops(const Trace& trace) {
    return source_loops.get([&] { return bscope::source_loops(trace); });
  }
};

Report::Report() : answers_(std::make_unique<Answers>()) {}
Report::~Report() = default;
Report::Report(Report&&) noexcept = default;
Report& Report::operator=(Report&&) noexcept = default;

const WordTable& Report::words() const {
  return answers_->words.get([&] { return bscope::words(*trace, flow); });
}
const std::vector<WarpAccess>& Report::requests() const {
  return answers_->requests.get([&] { return bscope::requests(*trace, flow, answers_->loops(*trace)); });
}
std::span<const WarpAccess> Report::requests_of(size_t interval) const {
  auto& kept = answers_->requests_of;
  {
    const std::scoped_lock lock(answers_->mutex);
    if (const auto it = kept.find(interval); it != kept.end()) return it->second;
  }
  auto all = bscope::requests(*trace, flow, flow.intervals[interval], answers_->loops(*trace));
  const std::scoped_lock lock(answers_->mutex);
  return kept.try_emplace(interval, std::move(all)).first->second;  // stays where it is when others come
}
const Contention& Report::contention() const {
  return answers_->contention.get([&] { return bscope::contention(*trace, flow); });
}
const Lost& Report::lost() const {
  return answers_->lost.get([&] { return lost_updates(*trace, flow); });
}
const Proof& Report::proof() const {
  return answers_->proof.get([&] { return prove(*trace, flow, words()); });
}
const Work& Report::work() const {
  return answers_->work.get([&] { return bscope::work(flow); });
}
const std::vector<LinesActiveLanes>& Report::active_lanes() const {
  return answers_->active_lanes.get([&] { return bscope::active_lanes(*trace); });
}
int Report::span() const {
  return answers_->span.get([&] { return bscope::span(flow); });
}

void Report::store(WordTable words, Lost lost) {
  answers_->words.get([&] { return std::move(words); });
  answers_->lost.get([&] { return std::move(lost); });
}

Report analyse(const Trace& trace) { return analyse(trace, replay_trace(trace)); }

Report analyse(const Trace& trace, DataflowGraph&& flow) {
  Report r;
  r.trace = &trace;
  r.flow = std::move(flow);
  r.flow.plus = operator_of(trace);
  for (int launch = 0; launch < int(trace.launches.size()); ++launch)
    for (Finding& f : storage_reused(trace, launch)) r.flow.faults.push_back(std::move(f));
  if (trace.dialect == Dialect::cuda && !r.flow.hazards_found) {
    std::vector<Finding> found = lost_inputs(trace, r.flow);
    for (Finding& f : stalled_sums(trace, r.flow)) found.push_back(std::move(f));
    for (Finding& f : found) r.flow.faults.push_back(std::move(f));
  }
  r.barriers = count_barriers(r.flow);
  if (size_t(trace.input) < trace.arrays.size())
    r.input = numbers(trace.arrays[trace.input].kind, trace.arrays[trace.input].initial);
  if (size_t(trace.output) < trace.arrays.size()) {
    const ArrayInfo& output = trace.arrays[trace.output];
    const bool ran = !trace.launches.empty() && size_t(trace.output) < trace.launches.back().after.size();
    r.output = numbers(output.kind, ran ? trace.launches.back().after[trace.output] : output.initial);
    r.expected = numbers(output.kind, trace.expected);
    r.correct = equal(trace, r, output.kind);
  }
  return r;
}

}  // namespace bscope
