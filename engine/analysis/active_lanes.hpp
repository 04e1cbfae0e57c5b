// Divergence as one number: how many lanes of a warp take part in its instructions.
#pragma once

#include <map>
#include <vector>

#include "engine/trace/trace.hpp"

namespace bscope {

class SourceLoops;

/// Instructions that warps issued, and the lanes that took part in them.
struct ActiveLanes {
  long instructions = 0, active = 0;
  long lanes = 0;  ///< that these warps have: the last warp of a block of 40 threads has 8
  long runs = 0;   ///< how often a warp ran the line; lanes that come to it apart run it apart
  /// Of each instruction, on average: at most 32.
  double average() const { return instructions ? double(active) / double(instructions) : 0; }
  double share() const { return lanes ? double(active) / double(lanes) : 0; }
  /// Lanes that were switched off, in all of these instructions together.
  long idle() const { return lanes - active; }
  ActiveLanes& operator+=(const ActiveLanes& o) {
    instructions += o.instructions;
    active += o.active;
    lanes += o.lanes;
    runs += o.runs;
    return *this;
  }
  bool operator==(const ActiveLanes&) const = default;
};
using LinesActiveLanes = std::map<int, ActiveLanes>;  ///< by line; a line without events is not in it

/// Of a block, for each of its intervals, by line. It is what Nsight Compute calls "avg. active threads per
/// warp", counted over what a trace holds: accesses, arithmetic on data, shuffles and votes, fences and
/// barriers. Arithmetic on indices, jumps and loops on registers alone leave no events, and are not in it.
///
/// A log does not say which lanes went together. They are put together as a GPU does that lets lanes meet
/// again as early as possible: of a warp's lanes between two barriers, those that stand in the lowest line go
/// on, all of them by one round of it. So lanes that have left a loop wait behind it for the others, and the
/// two arms of a branch are two instructions. A function that stands below its caller is taken to be after
/// it. Within a loop those in its earliest round go first: the end of its body, where both arms of a branch
/// meet, may leave no event. A trace that knows its rounds (LoopRounds) says which that is; of others, the
/// loops of the source and the lines of the events tell.
///
/// Of traces that do not know them, a line that gives every lane the same events each time is one run,
/// however many operations it has, unless they repeat: `x = x + 1` three times in a loop of its own line is
/// three.
std::vector<LinesActiveLanes> active_lanes(const Launch&, const BlockRun&, const SourceLoops&);
/// Of each launch, by line; empty for what changed memory between two launches.
std::vector<LinesActiveLanes> active_lanes(const Trace&);
/// The sum of all lines.
ActiveLanes total(const std::vector<LinesActiveLanes>&);

}  // namespace bscope
