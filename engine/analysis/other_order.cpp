#include "engine/analysis/other_order.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace bscope {
namespace {

std::pair<int, int> lines_of(const Hazard& h) { return std::minmax(h.lines[0], h.lines[1]); }

/// Whether the fault names the array and a line of the race. Then it is what the race does in that order.
bool explains(const Hazard& h, const std::string& fault) {
  if (fault.find(h.array + "[") == std::string::npos) return false;
  return std::ranges::any_of(h.lines, [&](int line) {
    const std::string where = "line " + std::to_string(line);
    const size_t at = fault.find(where), end = at + where.size();
    return at != std::string::npos && (end == fault.size() || fault[end] < '0' || fault[end] > '9');
  });
}

}  // namespace

OtherOrder shown_by(const DataflowGraph& flow) {
  OtherOrder o{{}, flow.faults};
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
  for (const std::string& fault : o.faults) {
    const bool raced = std::ranges::any_of(flow.hazards, [&](const Hazard& h) { return explains(h, fault); });
    if (!raced && std::ranges::find(flow.faults, fault) == flow.faults.end()) flow.faults.push_back(fault);
  }
}

}  // namespace bscope
