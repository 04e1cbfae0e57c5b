// Races of a user's own program that one change cures, taken together.
#pragma once

#include <vector>

#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {

/// Races between two lines of a kernel, and those that go away with them.
struct RaceGroup {
  const Hazard* shown = nullptr;  ///< the most telling one
  size_t count = 0;               ///< pairs of accesses
  size_t launches = 1;            ///< of the kernel, in which they race
  int first_block = 0, last_block = 0;
  Cure cure = {};
  Message help = {};  ///< the cure in words; empty where none is known
};

/// One group for each change that is needed. Races between the same lines in several launches of a kernel, or
/// of its instantiations, are one. So are races that one barrier before a line, or behind one, orders, and
/// the steps of a warp whose lanes do not wait for each other, as in the last steps of a tree. The catalog's
/// kernels are written in our own dialect, and each of their races stands alone.
std::vector<RaceGroup> race_groups(const Trace&, const std::vector<Hazard>&);

}  // namespace bscope
