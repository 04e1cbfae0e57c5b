#include "engine/analysis/padding.hpp"

#include <algorithm>

#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/cell_ref.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

Padding padding_of(const std::vector<bool>& used) {
  const auto gap = std::find(used.begin(), used.end(), false);
  const auto next = std::find(gap, used.end(), true);
  if (next == used.end()) return {};
  const auto row = int(gap - used.begin()), pad = int(next - gap);
  if (row < 8 * pad) return {};
  for (size_t k = 0; k < used.size(); ++k)
    if (used[k] && int(k) % (row + pad) >= row) return {};
  // Every row but the last is full: else cells are missing for another reason.
  const auto last = int(std::find(used.rbegin(), used.rend(), true).base() - used.begin());
  for (int k = 0; k < last / (row + pad) * (row + pad); ++k)
    if (!used[size_t(k)] && k % (row + pad) < row) return {};
  return {row, pad};
}

Padding padding(const Trace& t, const DataflowGraph& flow, int launch, int block, int array) {
  if (array < first_shared) return {};
  std::vector<bool> used(size_t(t.launches[size_t(launch)].shared[size_t(array - first_shared)].size));
  for (const Interval& v : flow.of_block(launch, block))
    for (const int id : v.nodes) {
      const CellRef place = flow.nodes[size_t(id)].place;
      if (place.array == array && size_t(place.index) < used.size()) used[size_t(place.index)] = true;
    }
  return padding_of(used);
}

}  // namespace bscope
