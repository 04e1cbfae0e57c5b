// Divergence as one number: how many lanes of a warp take part in its instructions.
#pragma once

#include <map>
#include <vector>

#include "engine/trace/trace.hpp"

namespace bscope {

/// Instructions that warps issued, and the lanes that took part in them.
struct ActiveLanes {
  long instructions = 0, active = 0;
  long lanes = 0;  ///< that these warps have: the last warp of a block of 40 threads has 8
  /// Of each instruction, on average: at most 32.
  double average() const { return instructions ? double(active) / double(instructions) : 0; }
  double share() const { return lanes ? double(active) / double(lanes) : 0; }
  /// Lanes that were switched off, in all of these instructions together.
  long idle() const { return lanes - active; }
  ActiveLanes& operator+=(const ActiveLanes& o) {
    instructions += o.instructions;
    active += o.active;
    lanes += o.lanes;
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
/// it.
std::vector<LinesActiveLanes> active_lanes(const Launch&, const BlockRun&);
/// Of each launch, by line; empty for what changed memory between two launches.
std::vector<LinesActiveLanes> active_lanes(const Trace&);
/// The sum of all lines.
ActiveLanes total(const std::vector<LinesActiveLanes>&);

}  // namespace bscope
