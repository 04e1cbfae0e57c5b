// Where a source has barriers: those that its threads met at, and those that were left out to see what
// happens.
#pragma once

#include <set>

namespace bscope {

struct DataflowGraph;
struct Trace;

struct BarrierLines {
  std::set<int> met, left_out;
};
/// Of the launches whose lines are of this source (Trace::sources).
BarrierLines barrier_lines(const Trace&, const DataflowGraph&, int source);

}  // namespace bscope
