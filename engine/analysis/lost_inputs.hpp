// Values that a launch reads and combines, and that are in nothing it leaves behind.
#pragma once

#include <vector>

#include "engine/trace/finding.hpp"

namespace bscope {

struct DataflowGraph;
struct Trace;

/// A finding for each launch that makes few values of many and forgets some on the way, as a tree does that
/// halves an odd number of threads. Counts cells of global memory that the launch reads as it found them. A
/// cell is lost where its value went into a sum (or the like) and neither into a cell of global memory nor
/// into a branch, an index, a vote or an output of printf. A launch all of whose cells are lost has no
/// result, and no finding. Empty for runs with findings.
std::vector<Finding> lost_inputs(const Trace&, const DataflowGraph&);

}  // namespace bscope
