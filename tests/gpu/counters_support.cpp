#include <algorithm>
#include <set>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/requests.hpp"
#include "engine/simt/problem.hpp"
#include "tests/gpu/counters.hpp"

namespace bscope::tests {
namespace {
constexpr int longest = 70'000;       // one tile may be this long,
constexpr int longest_of_3 = 13'000;  // three tiles this long: the CPU traces each of them in every CI run

/// How often the warps of a block came to barriers: a warp's lanes come together, or some stay away.
long barriers_of(const Launch& l, const BlockRun& run) {
  long sum = 0;
  for (int first = 0; first < l.block; first += warp_size) {
    long most = 0;
    for (int thread = first; thread < std::min(first + warp_size, l.block); ++thread) {
      const auto log = run.log(thread);
      most = std::max(
          most, long(std::count_if(log.begin(), log.end(), [](const Event& e) { return e.op == Op::sync; })));
    }
    sum += most;
  }
  return sum;
}
}  // namespace

std::vector<Case> counter_cases(const Algorithm& a) {
  std::vector<Case> cases;
  std::set<std::string> seen;
  auto add = [&](Case c, int tiles) {
    c.n = 1;
    const int tile = c.algorithm().tile(c.problem());
    if (tile > longest || (tiles > 1 && tile > longest_of_3 / tiles)) return;
    c.n = tiles == 1 ? tile : tiles * tile - 1;
    if (seen.insert(c.key()).second) cases.push_back(c);
  };
  const std::vector<int> legal = legal_blocks(a);
  Case plain;
  plain.kernel = a.name;
  for (const Parameter& p : a.parameters)
    if (p.name == "type") plain.set.emplace_back(p.name, p.initial.text);
  for (int block : {64, 128, 256, 512, 1024}) {
    if (!std::binary_search(legal.begin(), legal.end(), block)) continue;
    plain.block = block;
    add(plain, 1);
    add(plain, 3);
  }
  plain.block = 256;
  if (!std::binary_search(legal.begin(), legal.end(), plain.block)) plain.block = legal.back();
  for (const Parameter& p : a.parameters)
    for (const std::string& value : other_values(p)) {
      Case c = plain;
      std::erase_if(c.set, [&](const auto& s) { return s.first == p.name; });
      c.set.emplace_back(p.name, value);
      add(c, 1);
      add(c, 3);
    }
  return cases;
}

std::vector<LaunchCounts> predicted_counts(const Trace& trace) {
  std::vector<LaunchCounts> all;
  for (const Launch& l : trace.launches) {
    LaunchCounts& c = all.emplace_back(LaunchCounts{l.name, l.grid, l.block, {}});
    for (const BlockRun& run : l.blocks) c.counts.back() += barriers_of(l, run);
  }
  const DataflowGraph flow = replay_trace(trace);
  for (const WarpAccess& r : requests(trace, flow)) {
    auto& counts = all[size_t(r.launch)].counts;
    const size_t kind = is_atomic(r.op) ? 2 : writes(r.op) ? 1 : 0;
    counts[(r.shared() ? 0 : 3) + kind] += r.shared() ? r.wavefronts : r.sectors;
    counts[(r.shared() ? 6 : 9) + kind] += long(r.lanes.size());
    ++counts[(r.shared() ? 12 : 15) + kind];
  }
  return all;
}

}  // namespace bscope::tests
