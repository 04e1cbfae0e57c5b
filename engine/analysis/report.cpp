#include "engine/analysis/report.hpp"

#include <cmath>
#include <limits>

namespace bscope {
namespace {

std::vector<double> numbers(Kind kind, const std::vector<std::byte>& bytes) {
  std::vector<double> all;
  const size_t width = size_t(bytes_of(kind));
  if (!width) return all;
  all.reserve(bytes.size() / width);
  for (size_t k = 0; k + width <= bytes.size(); k += width) all.push_back(number(kind, bytes.data() + k));
  return all;
}

/// How far a floating-point result may be off: each of n roundings by half a unit of the largest sum there
/// can be on the way.
double tolerance(const Trace& trace, const Report& r, Kind kind) {
  if (kind != Kind::f32 && kind != Kind::f64) return 0;
  double power = 1;
  for (const auto& [name, value] : trace.parameters)
    if (name == "of") power = value == "squares" ? 2 : value == "cubes" ? 3 : 1;
  double largest = 0;
  for (double x : r.input) largest += std::pow(std::abs(x), power);
  for (double x : r.expected) largest = std::max(largest, std::abs(x));
  const double unit =
      kind == Kind::f32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  return unit * double(r.input.size() + 1) * largest;
}

bool equal(const Trace& trace, const Report& r, Kind kind) {
  if (r.expected.empty() || r.output.size() < r.expected.size()) return false;
  const double most = tolerance(trace, r, kind);
  for (size_t k = 0; k < r.expected.size(); ++k) {
    const double got = r.output[k], want = r.expected[k];
    if (got == want || (std::isnan(got) && std::isnan(want))) continue;
    if (!(std::abs(got - want) <= most)) return false;
  }
  return true;
}

long count_barriers(const Flow& flow) {
  long n = 0;
  for (const Interval& v : flow.intervals) n += v.line != 0;
  return n;
}

}  // namespace

Report analyse(const Trace& trace) {
  Report r;
  r.trace = &trace;
  r.flow = follow(trace);
  r.words = words(trace, r.flow);
  r.requests = requests(trace, r.flow);
  size_t next = 0;
  for (const Interval& v : r.flow.intervals) {
    const size_t first = next;
    for (; next < r.requests.size(); ++next) {
      const WarpRequest& q = r.requests[next];
      if (q.launch != v.launch || q.block != v.block || q.interval != v.index) break;
    }
    r.interval_requests.emplace_back(int(first), int(next));
  }
  r.contention = contention(trace, r.flow);
  r.lost = lost_updates(trace, r.flow);
  r.proof = prove(trace, r.flow, r.words);
  r.work = work(r.flow);
  r.span = span(r.flow);
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
