// Operations by kind, in total and an interval; the longest chain; formulas beside.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace bscope {

struct DataflowGraph;
struct Interval;

struct Work {
  std::map<std::string, long> by_op;  ///< "add" -> 14 (computations only; atomics under their own names)
  long adds = 0;                      ///< uses of the run's operator, atomics left out
};
Work work(const DataflowGraph&);
Work work(const DataflowGraph&, const Interval&);
/// The longest chain of additions and other operations from an input to a result (atomics count one).
int span(const DataflowGraph&);

/// Lanes at work in an interval: threads with at least one access.
std::vector<int> active_threads(const DataflowGraph&, const Interval&);

}  // namespace bscope
