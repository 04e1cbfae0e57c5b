// Barriers and the intervals between them: who waits, when one opens, what the block's memory then is.
#pragma once

#include "engine/analysis/replay_memory.hpp"

namespace bscope::replay {

class Barriers {
 public:
  Barriers(ReplayState& s, ReplayMemory& m) : s_(s), memory_(m) {}
  /// Opens the first interval of each block.
  void begin_launch();
  /// A thread stopped or ended: opens the barrier if all are there, ends the block if all have ended.
  void settle(int t);
  /// Blocks that never ended.
  void end_launch();

 private:
  void open(int block);
  /// Ends the open interval: keeps the block's memory and holds it against the real snapshot.
  void close(int block, int line);
  /// The name of the phase that the open interval is in.
  std::string phase_of(int block, int line);
  /// Holds the block's memory against the real snapshot, if there is one.
  void check(int block, Interval&, const std::byte* real, bool same);
  /// The real snapshots show whether a barrier opened that no thread left.
  bool opens(int block) const;
  void end_thread(ReplayThread& t, ReplayBlock& b) const { t.done = true, ++b.done; }

  ReplayState& s_;
  ReplayMemory& memory_;
  size_t unseen_ = 0;  // bytes of intervals without a snapshot
};

}  // namespace bscope::replay
