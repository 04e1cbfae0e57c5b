// The time of a tab that has one of its own.
#pragma once

#include <optional>
#include <vector>

#include "app/session/motion.hpp"

namespace bscope {

struct LoadedState;

/// What the transport moves on a tab that has a time of its own: Compare's positions, Atomics' t.
struct TabTime {
  int length = 1, now = 0;
  std::vector<int> marks;  ///< where Shift+Right stops
  float hold = hold_ms;    ///< of each while playing
};
/// Nothing on the other tabs: there the transport moves the cursor through the run's steps.
std::optional<TabTime> own_time(const LoadedState&);
/// The same tab at this moment (clamped).
LoadedState at_time(LoadedState, int now);

}  // namespace bscope
