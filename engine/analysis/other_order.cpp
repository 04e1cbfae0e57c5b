#include "engine/analysis/other_order.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/trace/placed_in.hpp"

namespace bscope {
namespace {

std::pair<int, int> lines_of(const Hazard& h) { return std::minmax(h.lines[0], h.lines[1]); }

/// Whether the fault names the array and a line of the race. Then it is what the race does in that order.
bool explains(const Hazard& h, const Finding& fault, const std::string& array) {
  return h.array == array && std::ranges::find(h.lines, fault.line) != std::end(h.lines);
}

std::string array_of(const Trace& trace, const Finding& fault) {
  if (fault.cells.empty() || size_t(fault.launch) >= trace.launches.size()) return {};
  const Launch& l = trace.launches[size_t(fault.launch)];
  const CellRef cell = fault.cells.front();
  return exists(trace, l, cell) ? trace.array(l, cell.array).name : "";
}

}  // namespace

OtherOrder shown_by(const Trace& trace, const DataflowGraph& flow) {
  OtherOrder o{{}, flow.faults, {}};
  for (const Finding& fault : flow.faults) o.arrays.push_back(array_of(trace, fault));
  std::ranges::copy_if(flow.hazards, std::back_inserter(o.hazards),
                       [](const Hazard& h) { return h.alike >= 0; });
  return o;
}

void unite(const Trace& trace, DataflowGraph& flow, const OtherOrder& o) {
  for (Hazard h : o.hazards) {
    const auto same = [&](const Hazard& x) {
      return x.launch == h.launch && x.array == h.array && lines_of(x) == lines_of(h);
    };
    if (std::ranges::any_of(flow.hazards, same) || trace.launches.empty()) continue;
    // the two runs may differ in what they launch and allocate
    h.launch = std::min(h.launch, int(trace.launches.size()) - 1);
    const Launch& l = trace.launches[size_t(h.launch)];
    h.block = std::min(h.block, l.grid - 1);
    for (int& t : h.threads) t = std::min(t, l.grid * l.block - 1);
    if (!exists(trace, l, h.place)) h.place = {};
    flow.hazards_found += size_t(h.alike) + 1;
    flow.hazards.insert(std::ranges::find_if(flow.hazards, [](const Hazard& x) { return x.alike < 0; }),
                        std::move(h));
  }
  for (size_t k = 0; k < o.faults.size(); ++k) {
    const Finding& fault = o.faults[k];
    const bool raced =
        std::ranges::any_of(flow.hazards, [&](const Hazard& h) { return explains(h, fault, o.arrays[k]); });
    // of one mistake the orders may show other threads and cells
    const bool known = std::ranges::any_of(flow.faults, [&](const Finding& f) {
      return f.message == fault.message || (f.line && f.kind == fault.kind && f.launch == fault.launch &&
                                            f.line == fault.line && array_of(trace, f) == o.arrays[k]);
    });
    if (!raced && !known) flow.faults.push_back(placed_in(trace, fault));
  }
}

}  // namespace bscope
