// Where a value goes: the other direction of `ancestry` (why.hpp).
#pragma once

#include <vector>

namespace bscope {

struct DataflowGraph;

/// Every load and store that a node's value flows into, for the rest of the run, ascending; the node itself
/// is the first, if it touches a cell. Atomics hand on what they found. One pass over the nodes that follow.
std::vector<int> descendants(const DataflowGraph&, int node);

}  // namespace bscope
