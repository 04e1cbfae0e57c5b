#include "app/assignments/derived.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "app/run/run.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/cell_ref.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// For each node: whether its content comes from the initial input.
std::vector<bool> fed(const Trace& t, const DataflowGraph& flow) {
  std::vector<bool> all(flow.nodes.size());
  const auto of = [&](int32_t source) { return source >= 0 && all[size_t(source)]; };
  for (size_t k = 0; k < all.size(); ++k) {
    const Node& n = flow.nodes[k];
    const bool reads_input = reads(n.op) && n.place.array == t.input && n.a < 0;
    all[k] = reads_input || of(n.a) || of(n.b) || of(n.address);
  }
  return all;
}

/// Whether the cell holds one cell of the input at the end, moved and not computed.
bool is_an_input(const Run& run, CellRef cell) {
  const Word w = final_word(run.trace, run.report.flow, run.report.words(), cell);
  return w.known && w.power == 1 && w.runs.size() == 1 && w.runs[0].first == w.runs[0].second;
}

}  // namespace

Message not_derived(const Run& run, bool moved) {
  const Trace& t = run.trace;
  const DataflowGraph& flow = run.report.flow;
  const bool counts = t.property == Property::histogram;
  const bool from_nothing = t.property == Property::exclusive_scan;  // its first cell holds the identity
  const ArrayInfo& out = t.arrays[size_t(t.output)];
  const std::vector<bool> from_input = counts ? std::vector<bool>() : fed(t, flow);
  for (size_t k = 0; k < run.report.expected.size(); ++k) {
    const auto writes = flow.writes_of.of({t.output, int(k)});
    if (writes.empty()) {
      if (counts && run.report.expected[k] == 0) continue;
      if (t.input == t.output) continue;  // it holds the input, and whether that is right is judged elsewhere
      return message("{}[{}] is written by no kernel", out.name, k);
    }
    const bool comes = counts || (from_nothing && k == 0) ||
                       (moved ? is_an_input(run, {t.output, int(k)}) : from_input[size_t(writes.back())]);
    if (!comes)
      return message("what kernels write into {}[{}] does not come from {}", out.name, k,
                     t.arrays[size_t(t.input)].name);
  }
  return {};
}

std::shared_ptr<const Run> one_launch(const Trace& t, size_t launch) {
  Trace one;
  one.kernel = t.kernel;
  one.parameters = t.parameters;
  one.sources = t.sources;
  one.device = t.device;
  one.driver = t.driver;
  one.dialect = t.dialect;
  one.arrays = t.arrays;
  one.launches = {t.launches[launch]};
  if (launch > 0) {
    const auto& before = t.launches[launch - 1].after;
    for (size_t k = 0; k < std::min(before.size(), one.arrays.size()); ++k) one.arrays[k].initial = before[k];
  }
  return analysed(std::move(one));
}

}  // namespace bscope
