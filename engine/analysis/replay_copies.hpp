// The copy engine: bulk copies, and the mbarriers that tell of their ends.
#pragma once

#include "engine/analysis/replay_memory.hpp"

namespace bscope::replay {

/// A copy happens all at once, when it is asked for: one of the moments at which it may. Its cells are read
/// and written by its thread, then its mbarrier is signalled.
class CopyEngine {
 public:
  CopyEngine(ReplayState& s, ReplayMemory& m) : s_(s), memory_(m) {}
  /// The thread's next event, which is of a bulk copy or of an mbarrier. False: it is not yet its turn.
  bool step(int t, const Event&, int32_t& id);

 private:
  int copy(int t, const Event& from, const Event& to);
  /// An arrival at an mbarrier, or the end of a copy.
  int tell(int t, const Event&, int array, uint32_t index, int32_t bytes, Op = Op::arrive);
  bool await(int t, const Event&, int32_t& id);
  Node access(int t, const Event&, const ArrayView&, int array, uint32_t cell, uint64_t bits) const;

  ReplayState& s_;
  ReplayMemory& memory_;
};

}  // namespace bscope::replay
