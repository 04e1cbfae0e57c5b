#include "engine/analysis/stalled_sums.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

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
  size_t all = 0;
  std::vector<int> stalled;  ///< nodes
  bool is_reported() const { return !stalled.empty() && stalled.size() * share >= all; }
};

class StalledSums {
 public:
  StalledSums(const Trace& trace, const DataflowGraph& flow) : trace_(trace), flow_(flow) {}

  std::vector<Finding> find() {
    for (size_t k = 0; k < flow_.nodes.size(); ++k) look_at(int(k));
    const auto reported = [](const auto& l) { return l.second.is_reported(); };
    if (std::ranges::any_of(lines_, reported)) leave_out_compensated();
    std::vector<Finding> all;
    for (const auto& [where, line] : lines_)
      if (line.is_reported()) all.push_back(finding(line));
    return all;
  }

 private:
  double value(int node, uint8_t kind) const {
    const Node& n = flow_.nodes[size_t(node)];
    return n.kind == kind ? number(ElementType(kind), n.bits) : std::nan("");
  }
  /// What a node adds to what; nothing where it adds no floating-point numbers.
  std::optional<Addition> addition_of(const Node& n) const {
    const bool atomic = n.op == Op::atomic_add;
    if ((!atomic && n.op != Op::add) || !is_float(ElementType(n.kind)) || n.b < 0 || (!atomic && n.a < 0))
      return {};
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
    return a;
  }
  void look_at(int node) {
    const Node& n = flow_.nodes[size_t(node)];
    const std::optional<Addition> a = addition_of(n);
    if (!a) return;
    AddingLine& line = lines_[{n.launch, n.line, n.op}];
    ++line.all;
    if (a->stalls()) line.stalled.push_back(node);
  }

  /// The value that a node stands for: behind loads and stores the one that was stored; else the node itself.
  int origin(int node) const {
    while (node >= 0) {
      const Node& n = flow_.nodes[size_t(node)];
      const bool copies = n.op == Op::load || n.op == Op::store || n.op == Op::store_async;
      if (!copies || n.a < 0) break;
      node = n.a;
    }
    return node;
  }
  /// Whether two nodes are one value: of a cell that nothing has written, each load is a node of its own.
  bool same_value(int x, int y) const {
    if (x == y) return true;
    if (x < 0 || y < 0) return false;
    const Node &a = flow_.nodes[size_t(x)], &b = flow_.nodes[size_t(y)];
    return a.op == Op::load && b.op == Op::load && a.launch == b.launch && a.place == b.place;
  }
  /// A compensated sum subtracts what it added to from what came out, or the other way round, and so keeps
  /// what the addition has lost (Kahan, Neumaier, Knuth's two-sum).
  void leave_out_compensated() {
    std::unordered_set<int> compensated;
    for (const Node& n : flow_.nodes) {
      if (n.op != Op::sub || !is_float(ElementType(n.kind))) continue;
      const int left = origin(n.a), right = origin(n.b);
      for (const auto& [sum, other] : {std::pair(left, right), std::pair(right, left)}) {
        if (sum < 0 || flow_.nodes[size_t(sum)].op != Op::add) continue;
        const Node& added = flow_.nodes[size_t(sum)];
        if (same_value(origin(added.a), other) || same_value(origin(added.b), other)) compensated.insert(sum);
      }
    }
    for (auto& [where, line] : lines_)
      std::erase_if(line.stalled, [&](int node) { return compensated.contains(node); });
  }
  Finding finding(const AddingLine& line) const {
    const Node& n = flow_.nodes[size_t(line.stalled.front())];
    const Addition first = addition_of(n).value_or(Addition{});
    const Launch& launch = trace_.launches[size_t(n.launch)];
    Finding f{.launch = n.launch,
              .block = n.thread / launch.block,
              .thread = n.thread % launch.block,
              .line = n.line};
    const Message why = message("{} + {} is {} in {}", digits(first.to), digits(first.what), digits(first.to),
                                name_of(ElementType(n.kind)));
    if (touches(n.op)) {
      f.cells = {n.place};
      f.message = message("{} of {} additions to {} in line {} change nothing: {}.", line.stalled.size(),
                          line.all, cell_name(trace_, n.launch, n.place), n.line, why);
    } else {
      f.message = message("{} of {} additions in line {} change nothing: {}.", line.stalled.size(), line.all,
                          n.line, why);
    }
    f.help = bytes_of(ElementType(n.kind)) < bytes_of(ElementType::f32)
                 ? message("Add up in float, or add up parts first and then their sums.")
                 : message("Count in integers, or add up parts first and then their sums.");
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
