// How many lanes did what on each line of a launch.
#pragma once

#include <array>
#include <map>

#include "engine/trace/trace.hpp"

namespace bscope {

/// Events of one line in all blocks of a launch. Each is one lane's, once.
struct LineLanes {
  long read = 0, wrote = 0, updated = 0;  ///< cells: loads, stores, atomics
  long exchanged = 0;                     ///< shuffles, votes, reductions of a warp
  long computed = 0;                      ///< operations on watched values
  long met = 0;                           ///< at a barrier
  bool none() const { return !read && !wrote && !updated && !exchanged && !computed && !met; }
  bool operator==(const LineLanes&) const = default;
};
/// By line; a line that left no event is not in it.
std::map<int, LineLanes> line_lanes(const Launch&);

}  // namespace bscope
