// An interval, one instruction of a warp at a time: its requests for memory and what its lanes hand each
// other, in an order in which every thread does what it did in the order in which it did it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bscope {

struct Exchange;
struct Interval;
class Report;
struct Trace;
struct WarpAccess;

/// One instruction of one warp.
struct SubStep {
  int request = -1;   ///< among the interval's requests; -1: it is an exchange
  int exchange = -1;  ///< among the block's exchanges; -1: it is a request
  int warp = 0, line = 0;
};
/// Of one interval; `requests` are its, `exchanges` its block's. Where the replay took the warps' lanes side
/// by side this is the replay's order. Where it ran one thread after the other no order between them matters
/// (else it would not have), and each thread's own order is kept.
std::vector<SubStep> substeps(const Trace&, const Interval&, std::span<const WarpAccess> requests,
                              std::span<const Exchange> exchanges);
/// How many an interval has, by its number in DataflowGraph::intervals.
int count_substeps(const Report&, size_t interval);

}  // namespace bscope
