// The pure steps that belong to Watch: within an interval, from block to block, what the array view shows.
#pragma once

#include "app/session/state.hpp"

namespace bscope {

/// One instruction of a warp further within the interval (see substeps()): from the whole interval to its
/// first; from its last on to the next interval that has any.
State next_substep(State);
/// And back: from the whole interval to its last.
State previous_substep(State);
/// Another launch of the run, at its first step; clamped.
State to_launch(State, int launch);
/// A source line of the cursor's launch, selected, and the cursor where it runs: this step, or the next of
/// the block, else the nearest in another block or launch. `note` says, said, where the block on screen did
/// not run it, or nobody did (then the cursor stays). The selected line again: selected no more.
struct AtLine {
  State state;
  std::string note;
};
AtLine to_line(State, int line);
/// Shows the next array (`by` 1) or the one before (-1) of those that the launch has; after the last, what
/// the step itself would show.
State next_array(State, int by);
/// Shows every block of the launch small, or one again; every array, or one.
State all_blocks(State);
State all_arrays(State);

}  // namespace bscope
