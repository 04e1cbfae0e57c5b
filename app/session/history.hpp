// Undo and redo of every change: which kernel, which parameters, which tab, where the cursor is, what a tab
// remembers. Looks (theme, language, speed) are no change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "app/session/state.hpp"

namespace bscope {

class History {
 public:
  /// At most so many changes, and so many bytes of runs; older ones are traced anew when they are gone back
  /// to.
  explicit History(size_t most_changes = 400, size_t most_bytes = size_t(384) << 20)
      : most_changes_(most_changes), most_bytes_(most_bytes) {}

  /// Looks at the state, once a frame. While something is held (a slider, a key in a field) nothing is noted:
  /// a drag is one change. A walk of single steps is one change as well, and so is zooming on.
  void observe(const State&, bool held);
  bool can_undo() const { return at_ > 0; }
  bool can_redo() const { return at_ + 1 < snapshots_.size(); }
  /// The state before the last change (or after it), with today's looks. What is not kept any more is opened
  /// again; if that fails, only the error changes.
  State undo(State, RunStore&);
  State redo(State, RunStore&);

  size_t changes() const { return snapshots_.empty() ? 0 : snapshots_.size() - 1; }
  /// Of the runs that are kept, estimated.
  size_t bytes() const;

 private:
  enum class ChangeKind : uint8_t { walk, zoom, other };
  struct Snapshot {
    State state;
    ChangeKind kind = ChangeKind::other;  ///< of the change that led here
  };
  State go(State, size_t to, RunStore&);
  void bound();

  std::deque<Snapshot> snapshots_;
  size_t at_ = 0;  ///< the moment that is on screen
  size_t most_changes_, most_bytes_;
};

/// Whether undo would distinguish the two.
bool same_place(const State&, const State&);

}  // namespace bscope
