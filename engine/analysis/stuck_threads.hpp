// Which threads of a block wait for ever in an interval, because their run has ended in a deadlock.
#pragma once

#include <vector>

namespace bscope {

struct DataflowGraph;
struct Interval;
struct Trace;

/// The line where each thread of the interval's block waits for ever (0: in an unknown one), -1 for a thread
/// that does not. Empty: none does, as in all but a deadlock's last interval.
std::vector<int> stuck_lines(const Trace&, const DataflowGraph&, const Interval&);
/// How many threads wait for ever, of what stuck_lines says.
int count_stuck(const std::vector<int>& lines);

}  // namespace bscope
