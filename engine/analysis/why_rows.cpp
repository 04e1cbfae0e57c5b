#include "engine/analysis/why_rows.hpp"

#include <algorithm>
#include <set>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/why.hpp"

namespace bscope {
namespace {

class WhyRows {
 public:
  WhyRows(const Run& run, int levels, std::span<const int> turned)
      : run_(run), flow_(run.report.flow), levels_(levels), turned_(turned) {}

  std::vector<WhyRow> make(int node) {
    said_.insert(node);
    parts(made(node), 0);
    return std::move(rows_);
  }

 private:
  Why made(int node) const { return made_of(run_.trace, flow_, run_.report.words(), node); }
  /// Computations and cells are unfolded to the chosen level, but for those that were turned by hand.
  bool unfolded(int depth, int node) const {
    return (depth + 1 < levels_) != (std::find(turned_.begin(), turned_.end(), node) != turned_.end());
  }

  void parts(const Why& of, int depth) {
    for (const Why& part : of.from) {
      if (int(rows_.size()) >= most_why_rows) return;
      add(part, depth);
    }
  }

  void add(const Why& part, int depth) {
    WhyRow row;
    row.depth = depth;
    row.place = part.place;
    row.cell = part.cell;
    row.value = part.value;
    row.op = part.op;
    row.word = part.word;
    const auto by = [&](const Node& n) {
      const int threads = run_.trace.launches[size_t(n.launch)].block;
      row.thread = n.thread % threads;
      row.block = n.thread / threads;
      row.line = n.line;
      row.interval = n.interval;
      row.launch = n.launch;
    };
    if (part.place.array < 0) {  // a computation in a register, or a constant
      if (part.node >= 0) by(flow_.nodes[size_t(part.node)]);
      row.opens = !part.from.empty();
      row.open = row.opens;  // it has no cell to be looked up in: its parts belong to it
      rows_.push_back(std::move(row));
      parts(part, depth + 1);
      return;
    }
    row.writer = part.node >= 0 ? flow_.nodes[size_t(part.node)].a : -1;
    if (row.writer < 0) {
      row.op = "given";
      if (part.node >= 0) row.launch = flow_.nodes[size_t(part.node)].launch;
      rows_.push_back(std::move(row));
      return;
    }
    by(flow_.nodes[size_t(row.writer)]);
    const Why below = made(row.writer);
    row.op = below.op;
    row.word = below.word;
    row.opens = !below.from.empty() && below.op != "constant";
    row.above = row.opens && said_.contains(row.writer);
    if (row.above) row.opens = false;
    row.open = row.opens && unfolded(depth, row.writer);
    const bool open = row.open;
    if (open) said_.insert(row.writer);
    rows_.push_back(std::move(row));
    if (open) parts(below, depth + 1);
  }

  const Run& run_;
  const DataflowGraph& flow_;
  const int levels_;
  const std::span<const int> turned_;
  std::vector<WhyRow> rows_;
  std::set<int> said_;
};

}  // namespace

std::vector<WhyRow> why_rows(const Run& run, int node, int levels, std::span<const int> turned) {
  if (node < 0 || levels <= 0 || size_t(node) >= run.report.flow.nodes.size()) return {};
  if (!writes(run.report.flow.nodes[size_t(node)].op)) return {};
  return WhyRows(run, levels, turned).make(node);
}

}  // namespace bscope
