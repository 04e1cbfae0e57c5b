// What the atomics on a cell say of plain accesses to that cell: which reads are guesses that a
// compare-and-swap checks, and which atomics a plain access comes behind in the cell's own order.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

/// The plain loads of a launch whose value a later compare-and-swap of the same thread expects in the same
/// cell: if it is stale, the swap fails. So are those of the same line, of a cell that such loads are of,
/// whose value goes into branches alone: the thread has found that it need not swap, as an atomicMax of
/// floats that is made of compare-and-swaps does. Nodes, ascending.
std::vector<int32_t> guesses(const Trace&, const DataflowGraph&, int launch);

/// The atomics that an atomic is known to come behind in the order of its cell's writes: those from node
/// `first` to node `last`, each of which read what the one before it wrote.
struct Behind {
  int32_t first = INT32_MAX, last = -1;
  bool covers(int32_t node) const { return first <= node && node <= last; }
};

/// The latest writes of one cell, as long as they are atomics that read each other's values.
class AtomicChain {
 public:
  /// The next access of the cell in the replay.
  Behind touch(int id, const Node&);

 private:
  int32_t first_ = -1, last_ = -1;
};

}  // namespace bscope
