// Undo and redo of every change: which kernel, which parameters, which tab, where the cursor is, what a tab
// remembers. Looks (theme, language, speed) are no change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "app/session/state.hpp"

namespace bscope {

struct Run;
class RunStore;

namespace cuda {
struct ProgramRun;
}  // namespace cuda

class History {
 public:
  /// At most so many changes.
  explicit History(size_t most_changes = 400) : most_changes_(most_changes) {}

  /// Looks at the state, once a frame. While something is held (a slider, a key in a field) nothing is noted:
  /// a drag is one change. A walk of single steps is one change as well, and so is zooming on.
  void observe(const LoadedState&, bool held);
  bool can_undo() const { return at_ > 0; }
  bool can_redo() const { return at_ + 1 < snapshots_.size(); }
  /// The state before the last change (or after it), with today's looks. Where the store has dropped the run
  /// that was looked at then, it is opened again; if that fails, only the error changes.
  LoadedState undo(LoadedState, RunStore&);
  LoadedState redo(LoadedState, RunStore&);

  size_t changes() const { return snapshots_.empty() ? 0 : snapshots_.size() - 1; }

 private:
  enum class ChangeKind : uint8_t { walk, zoom, other };
  struct Snapshot {
    explicit Snapshot(const LoadedState&, ChangeKind = ChangeKind::other);
    State state;
    ChangeKind kind;  ///< of the change that led here
    /// The run that was looked at: a program or a file may give another one now. The store keeps it, or not.
    std::weak_ptr<const Run> run;
    std::weak_ptr<const cuda::ProgramRun> program;
    std::vector<std::string> unmade;  ///< tabs that had not opened yet what they show beside it
  };
  LoadedState go(LoadedState, size_t to, RunStore&);

  std::deque<Snapshot> snapshots_;
  size_t at_ = 0;  ///< the moment that is on screen
  size_t most_changes_;
};

/// Whether undo would distinguish the two, which are of the same run.
bool same_place(const State&, const State&);

}  // namespace bscope
