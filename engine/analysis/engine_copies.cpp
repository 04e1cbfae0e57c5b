#include "engine/analysis/engine_copies.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/analysis/run.hpp"

namespace bscope {
namespace {

int sectors_of(const Trace& trace, const Launch& l, CellRef p, int cells) {
  const int width = std::max(1, bytes_of(trace.array(l, p.array).kind));
  const long from = long(p.index) * width, to = from + long(cells) * width;
  return int((to + sector_bytes - 1) / sector_bytes - from / sector_bytes);
}

}  // namespace

std::vector<EngineCopy> engine_copies(const Trace& trace, const DataflowGraph& flow, const Interval& v) {
  std::vector<EngineCopy> all;
  std::map<std::pair<int, int>, size_t> of_event;
  const Launch& l = trace.launches[size_t(v.launch)];
  for (int k : v.copies) {
    const Node& n = flow.nodes[k];
    const auto [at, fresh] = of_event.try_emplace({n.thread, n.event}, all.size());
    if (fresh) {
      EngineCopy& c = all.emplace_back();
      c.launch = v.launch;
      c.block = v.block;
      c.thread = n.thread - v.block * l.block;
      c.line = n.line;
      c.node = k;
    }
    EngineCopy& c = all[at->second];
    if (n.op == Op::bulk_read) {
      if (c.cells++ == 0) c.from = n.place;
    } else if (c.to.array < 0)
      c.to = n.place;
  }
  for (EngineCopy& c : all) {
    if (c.from.array < 0 || c.to.array < 0) continue;
    c.bytes = c.cells * bytes_of(trace.array(l, c.from.array).kind);
    c.sectors = sectors_of(trace, l, c.from.shared() ? c.to : c.from, c.cells);
    c.ideal_sectors = (c.bytes + sector_bytes - 1) / sector_bytes;
  }
  std::erase_if(all, [](const EngineCopy& c) { return c.from.array < 0 || c.to.array < 0; });
  return all;
}

std::vector<EngineCopy> engine_copies(const Run& run, const Interval& v) {
  return engine_copies(run.trace, run.report.flow, v);
}

std::vector<EngineCopy> engine_copies(const Trace& trace, const DataflowGraph& flow) {
  std::vector<EngineCopy> all;
  for (const Interval& v : flow.intervals)
    if (!v.copies.empty()) std::ranges::move(engine_copies(trace, flow, v), std::back_inserter(all));
  return all;
}

long engine_sectors(const Run& run, const Interval& v) {
  long sum = 0;
  for (const EngineCopy& c : engine_copies(run, v)) sum += c.sectors;
  return sum;
}

}  // namespace bscope
