#include "engine/analysis/facts.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/engine_copies.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/requests.hpp"

namespace bscope {
namespace {

using Declared =
    std::pair<std::string, int>;  // file and line: reports keep their order, whatever the linker's

std::map<Declared, const RegisterFact*>& registered_facts() {
  static std::map<Declared, const RegisterFact*> all;  // a function's own: facts register before main
  return all;
}

/// What adds up is counted of a run and of an interval by its sums.
Fact summed(Fact f) {
  if (f.of_request) {
    const auto sum = [of = f.of_request](const auto& requests) {
      long n = 0;
      for (const WarpAccess& q : requests) n += of(q);
      return n;
    };
    const auto copied = [of = f.of_copy](const Report& r, const Interval& v) {
      long n = 0;
      if (of && !v.copies.empty())
        for (const EngineCopy& c : engine_copies(*r.trace, r.flow, v)) n += of(c);
      return n;
    };
    if (!f.of_run)
      f.of_run = [sum, copied](const Report& r) {
        long n = sum(r.requests());
        for (const Interval& v : r.flow.intervals) n += copied(r, v);
        return n;
      };
    if (!f.of_step)
      f.of_step = [sum, copied](const Report& r, size_t k) {
        return sum(r.requests_of(k)) + copied(r, r.flow.intervals[k]);
      };
  } else if (f.of_node) {
    const auto sum = [of = f.of_node](const DataflowGraph& flow, const Interval& v) {
      long n = 0;
      for (const int k : v.nodes) n += of(flow, flow.nodes[size_t(k)]);
      return n;
    };
    if (!f.of_run)
      f.of_run = [sum](const Report& r) {
        long n = 0;
        for (const Interval& v : r.flow.intervals) n += sum(r.flow, v);
        return n;
      };
    if (!f.of_step) f.of_step = [sum](const Report& r, size_t k) { return sum(r.flow, r.flow.intervals[k]); };
  }
  if (f.of_lines && !f.of_run)
    f.of_run = [of = f.of_lines](const Report& r) {
      long n = 0;
      for (const LineCount& l : of(r)) n += l.count;
      return n;
    };
  return f;
}

}  // namespace

RegisterFact::RegisterFact(Fact f, const char* file, int line) : fact(summed(std::move(f))) {
  registered_facts().emplace(Declared(file, line), this);
}
RegisterFact::~RegisterFact() {
  std::erase_if(registered_facts(), [&](const auto& known) { return known.second == this; });
}

std::vector<const Fact*> facts() {
  std::vector<const Fact*> all;
  for (const auto& [place, known] : registered_facts()) all.push_back(&known->fact);
  return all;
}

const Fact* fact_named(std::string_view name) {
  for (const auto& [place, known] : registered_facts())
    if (!name.empty() && known->fact.name == name) return &known->fact;
  return nullptr;
}

const Fact* fact_of_runs(std::string_view name) {
  for (const auto& [place, known] : registered_facts()) {
    const Fact& f = known->fact;
    if (!name.empty() && f.of_run && (f.name == name || f.words == name || f.asked == name)) return &f;
  }
  return nullptr;
}

std::vector<LineCount> lines_of(const Fact& f, const Report& r) {
  std::map<std::pair<int, int>, long> counts;
  if (f.of_lines) {
    for (const LineCount& l : f.of_lines(r)) counts[{l.launch, l.line}] += l.count;
  } else if (f.of_request) {
    for (const WarpAccess& q : r.requests()) counts[{q.launch, q.line}] += f.of_request(q);
    if (f.of_copy)
      for (const EngineCopy& c : engine_copies(*r.trace, r.flow)) counts[{c.launch, c.line}] += f.of_copy(c);
  } else if (f.of_node) {
    for (const Interval& v : r.flow.intervals)
      for (const int k : v.nodes) {
        const Node& n = r.flow.nodes[size_t(k)];
        counts[{n.launch, n.line}] += f.of_node(r.flow, n);
      }
  }
  std::vector<LineCount> all;
  for (const auto& [place, count] : counts)
    if (count) all.push_back({place.first, place.second, count});
  std::ranges::stable_sort(all, std::greater{}, &LineCount::count);
  return all;
}

}  // namespace bscope
