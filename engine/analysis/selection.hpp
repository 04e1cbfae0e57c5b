// What all pictures of one moment are about: one thread, one cell, and what the one did to the other.
#pragma once

#include <optional>

#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct Moment;
class RunQueries;

/// What a moment leaves open follows from what it says: a thread brings the cell that it touches along, a
/// cell the thread that wrote it; a cell that no thread touches in the step stands alone.
struct Selection {
  std::optional<CellRef> cell;  ///< what Why explains
  int thread = -1;              ///< its rank in the block; -1: no thread is followed
  /// The thread's store, atomic or load of the cell; where no thread touches the cell in this step, the write
  /// that left its value. -1: there is none.
  int node = -1;
  bool here = false;  ///< `node` happened in this step
};
/// By default the cell that the step wrote most often, the last of them, or read. Of a sub-step: what that
/// does.
Selection select(const RunQueries&, const Moment&);

}  // namespace bscope
