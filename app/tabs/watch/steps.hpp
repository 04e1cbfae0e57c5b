// The pure steps that belong to Watch: within an interval, from block to block, what the array view shows.
#pragma once

#include <string>

#include "app/draw/picture.hpp"
#include "app/session/state.hpp"

namespace bscope {

/// Asks for the run without the barrier of this line of the cursor's source, or with it again. Refused for a
/// run that is not made here on the CPU.
LoadedState turn_barrier(LoadedState, int line);

/// Shows the catalog's kernels in the dialect, or as their CUDA programs, and asks for the run as that.
LoadedState show_dialect(LoadedState, bool dialect);

/// One instruction of a warp further within the interval (see substeps()): from the whole interval to its
/// first; from its last on to the next interval that has any.
LoadedState next_substep(LoadedState);
/// And back: from the whole interval to its last.
LoadedState previous_substep(LoadedState);
/// Another launch of the run, at its first step; clamped.
LoadedState to_launch(LoadedState, int launch);
/// A source line of the cursor's launch, selected, and the cursor where it runs: this step, or the next of
/// the block, else the nearest in another block or launch. `note` says, said, where the block on screen did
/// not run it, or no block did (then the cursor stays). The selected line again: selected no more.
struct AtLine {
  LoadedState state;
  std::string note;
};
AtLine to_line(LoadedState, int line);
/// Shows the next array (`by` 1) or the one before (-1) of those that the launch has; after the last, what
/// the step itself would show.
LoadedState next_array(LoadedState, int by);
/// What a press on an array's name does: shows it alone; -1: what the step itself would show.
HitAction shows_array(int id);
/// Shows every block of the launch small, or one again; every array, or one.
LoadedState all_blocks(LoadedState);
LoadedState all_arrays(LoadedState);

/// Why's tree a level further (`by` 1) or back (-1): at none it gives the source its place back.
LoadedState unfold_why(LoadedState, int by);
/// The tree at the source's place, too, or there no more.
LoadedState tall_why(LoadedState);
/// A write's row of the tree unfolded or folded, against what its level says.
LoadedState turn_why(LoadedState, int writer);
/// To the step in which a write (a node) happened, and to its cell; -1: stays.
LoadedState to_write(LoadedState, int writer);

/// Lines of the source, in this step; between those of the picture's hit "source:scroll".
LoadedState scroll_source(LoadedState, int by, int least, int most);
/// Characters of it, to the right.
LoadedState shift_source(LoadedState, int by);
/// How the kernel is entered into the catalog: unfolded in the source, or folded.
LoadedState fold_registration(LoadedState);
/// The source with its machine code, or without it.
LoadedState show_machine_code(LoadedState);
/// The selected line's, unfolded or folded.
LoadedState unfold_selected_code(LoadedState);
/// A line's instructions unfolded beneath it, or folded; the line is selected. Those of one line at a time.
LoadedState unfold_code(LoadedState, int line);
/// The instructions that are unfolded, from that one on.
LoadedState show_code_from(LoadedState, int first);
/// What stands beside its lines, in turn.
LoadedState next_profile(LoadedState);
/// Rows of the whole run, in this step.
LoadedState scroll_run(LoadedState, int by);
/// What lights up in it for the selected cell, in turn.
LoadedState next_relatives(LoadedState);

}  // namespace bscope
