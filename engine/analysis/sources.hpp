// From a value back to the cells it was computed from.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "engine/trace/trace.hpp"

namespace bscope {

struct DataflowGraph;

/// Where a value comes from, without going through memory: the reads it was computed from.
struct Sources {
  std::vector<int> loads;  ///< nodes that read a cell, in the order in which the value was put together
  std::vector<int> lanes;  ///< threads that values were shuffled from, sorted, distinct
  uint64_t ops = 0;        ///< one bit for each Op that computed something
  bool uses(Op op) const { return ops >> int(op) & 1; }
};
/// Walks back from these nodes (-1: a constant) of `thread`, through computations and shuffles. Stops after a
/// few thousand nodes: longer lists are of no use.
Sources sources(const DataflowGraph&, std::initializer_list<int> from, int thread);
/// The same into `out`; `open` is room for the walk. A caller with many queries keeps both.
void find_sources(const DataflowGraph&, std::initializer_list<int> from, int thread, Sources& out,
                  std::vector<int>& open);

}  // namespace bscope
