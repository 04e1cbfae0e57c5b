#include "engine/analysis/stalled_sums.hpp"

#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

constexpr size_t share = 4;  // one addition in so many is lost before a line is reported

std::string digits(double v) { return std::to_string((long long)v); }
bool is_whole(double v) { return std::abs(v) < 9e18 && std::trunc(v) == v; }

/// What is added to what; `sum` is what comes out.
struct Addition {
  double to = 0, what = 0, sum = 0;
  bool stalls() const { return what != 0 && sum == to && is_whole(to) && is_whole(what); }
};

/// The additions of one line of a launch.
struct AddingLine {
  size_t all = 0, stalled = 0;
  const Node* first = nullptr;  ///< the first that stalls
  Addition addition;            ///< its
};

class StalledSums {
 public:
  StalledSums(const Trace& trace, const DataflowGraph& flow) : trace_(trace), flow_(flow) {}

  std::vector<Finding> find() {
    for (const Node& n : flow_.nodes) look_at(n);
    std::vector<Finding> all;
    for (const auto& [where, line] : lines_)
      if (line.stalled && line.stalled * share >= line.all) all.push_back(finding(line));
    return all;
  }

 private:
  double value(int node, uint8_t kind) const {
    const Node& n = flow_.nodes[size_t(node)];
    return n.kind == kind ? number(ElementType(kind), n.bits) : std::nan("");
  }
  void look_at(const Node& n) {
    const bool atomic = n.op == Op::atomic_add;
    if ((!atomic && n.op != Op::add) || !is_float(ElementType(n.kind)) || n.b < 0 || (!atomic && n.a < 0))
      return;
    Addition a;
    a.what = value(n.b, n.kind);
    if (atomic) {
      a.to = number(ElementType(n.kind), n.bits);
      const uint64_t what = flow_.nodes[size_t(n.b)].bits;
      a.sum = number(ElementType(n.kind), after_atomic(n.op, ElementType(n.kind), n.bits, what));
    } else {
      a.to = value(n.a, n.kind);
      a.sum = number(ElementType(n.kind), n.bits);
      if (std::abs(a.to) < std::abs(a.what)) std::swap(a.to, a.what);
    }
    AddingLine& line = lines_[{n.launch, n.line, n.op}];
    ++line.all;
    if (!a.stalls()) return;
    if (!line.stalled++) line.first = &n, line.addition = a;
  }
  Finding finding(const AddingLine& line) const {
    const Node& n = *line.first;
    const Launch& launch = trace_.launches[size_t(n.launch)];
    Finding f{.launch = n.launch,
              .block = n.thread / launch.block,
              .thread = n.thread % launch.block,
              .line = n.line};
    const Message why = message("{} + {} is {} in {}", digits(line.addition.to), digits(line.addition.what),
                                digits(line.addition.to), name_of(ElementType(n.kind)));
    if (touches(n.op)) {
      f.cells = {n.place};
      f.message = message("{} of {} additions to {} in line {} change nothing: {}.", line.stalled, line.all,
                          cell_name(trace_, n.launch, n.place), n.line, why);
    } else {
      f.message =
          message("{} of {} additions in line {} change nothing: {}.", line.stalled, line.all, n.line, why);
    }
    f.help = message("Count in integers, or add up parts first and then the parts.");
    return f;
  }

  const Trace& trace_;
  const DataflowGraph& flow_;
  std::map<std::tuple<int, int, Op>, AddingLine> lines_;  ///< by launch, line and operation
};

}  // namespace

std::vector<Finding> stalled_sums(const Trace& trace, const DataflowGraph& flow) {
  return StalledSums(trace, flow).find();
}

}  // namespace bscope
