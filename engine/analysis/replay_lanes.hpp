// What the lanes of a warp do together: shuffles, sums, and waiting for each other.
#pragma once

#include "engine/analysis/replay_state.hpp"

namespace bscope::replay {

class LaneReplay {
 public:
  explicit LaneReplay(ReplayState& s) : s_(s) {}
  // Each the thread's next event. False: it is not yet its turn.
  bool shuffle(int t, const Event&, uint64_t bits, int32_t& id);
  /// The first lane there adds up what all lanes of the mask bring, in the order of lanes; the others take
  /// it.
  bool reduce(int t, const Event&, uint64_t bits, int32_t& id);
  /// In a search: whether this lane may leave sync_warp. It may once all that the mask names are there, and
  /// have left the one before; lanes that have ended do not count.
  bool meet(int t, uint32_t mask);

 private:
  int add_up(int t, uint32_t lanes, const Event&, uint64_t total);
  ReplayState& s_;
};

}  // namespace bscope::replay
