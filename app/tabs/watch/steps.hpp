// The pure steps that belong to Watch: within an interval, from block to block, what the array view shows.
#pragma once

#include "app/session/state.hpp"

namespace bscope {

/// Asks for the run without the barrier of this line of the cursor's source, or with it again. Refused for a
/// run that is not made here on the CPU.
State turn_barrier(State, int line);

/// One instruction of a warp further within the interval (see substeps()): from the whole interval to its
/// first; from its last on to the next interval that has any.
State next_substep(State);
/// And back: from the whole interval to its last.
State previous_substep(State);
/// Another launch of the run, at its first step; clamped.
State to_launch(State, int launch);
/// A source line of the cursor's launch, selected, and the cursor where it runs: this step, or the next of
/// the block, else the nearest in another block or launch. `note` says, said, where the block on screen did
/// not run it, or no block did (then the cursor stays). The selected line again: selected no more.
struct AtLine {
  State state;
  std::string note;
};
AtLine to_line(State, int line);
/// Shows the next array (`by` 1) or the one before (-1) of those that the launch has; after the last, what
/// the step itself would show.
State next_array(State, int by);
/// What a press on an array's name does: shows it alone; -1: what the step itself would show.
HitAction shows_array(int id);
/// Shows every block of the launch small, or one again; every array, or one.
State all_blocks(State);
State all_arrays(State);

/// Why's tree a level further (`by` 1) or back (-1): at none it gives the source its place back.
State unfold_why(State, int by);
/// The tree at the source's place, too, or there no more.
State tall_why(State);
/// A write's row of the tree unfolded or folded, against what its level says.
State turn_why(State, int writer);
/// To the step in which a write (a node) happened, and to its cell; -1: stays.
State to_write(State, int writer);

/// Lines of the source, in this step; between those of the picture's hit "source:scroll".
State scroll_source(State, int by, int least, int most);
/// Characters of it, to the right.
State shift_source(State, int by);
/// How the kernel is entered into the catalog: unfolded in the source, or folded.
State fold_registration(State);
/// The source with its machine code, or without it.
State show_machine_code(State);
/// The selected line's, unfolded or folded.
State unfold_selected_code(State);
/// A line's instructions unfolded beneath it, or folded; the line is selected. Those of one line at a time.
State unfold_code(State, int line);
/// The instructions that are unfolded, from that one on.
State show_code_from(State, int first);
/// What stands beside its lines, in turn.
State next_profile(State);
/// Rows of the whole run, in this step.
State scroll_run(State, int by);
/// What lights up in it for the selected cell, in turn.
State next_relatives(State);

}  // namespace bscope
