// Atomics that must queue: same address, nothing orders them.
#pragma once

#include <vector>

#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct DataflowGraph;
struct Trace;

/// The atomics on one address within one interval of one block (shared) or one launch (global).
struct Queue {
  int launch = 0, block = -1, interval = -1;  ///< block and interval -1: global
  CellRef place;
  std::vector<int> nodes;  ///< the atomics in the order they were served
};
struct Contention {
  std::vector<Queue> queues;  ///< longest first
  int longest_shared = 0, longest_global = 0;
};
Contention contention(const Trace&, const DataflowGraph&);

}  // namespace bscope
