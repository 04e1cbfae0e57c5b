// Why a thread touched nothing between two barriers.
#pragma once

namespace bscope {

struct Interval;
struct Trace;

/// Why a thread touched no cell in a step, where the trace says so.
struct WhyIdle {
  bool ended = false;  ///< it had returned before the step began
  int line = 0;        ///< of a condition on data that was false; 0: none is in the trace
};
/// Of the thread of that rank in the interval's block. Costs a walk through the thread's log.
WhyIdle why_idle(const Trace&, const Interval&, int rank);

}  // namespace bscope
