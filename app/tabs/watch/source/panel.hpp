// Source: the kernel's text, with the interval's lines marked by what they do.
#pragma once

#include <memory>

#include "app/run/cursor.hpp"
#include "app/tabs/watch/watch_state.hpp"

namespace bscope {

struct Metrics;
struct OwnCode;
struct Picture;
struct Prediction;
class RunQueries;
struct Theme;

/// What is shown of a source beyond what runs now.
struct SourceShown {
  bool faults = true;  ///< marks on lines where the run goes wrong
  bool coming = true;  ///< lines that the launch runs later for the first time
  bool hints = true;   ///< comments and figures of the whole run, which may answer a lesson's question
};

/// Beside the lines: the followed thread's values, or how many lanes take part (WatchState::profile). A
/// prediction that is on keeps the step's results back. Running lines and the selected one are in view,
/// whole, in two pieces where they lie far apart; lines are wrapped unless scrolled sideways; how the kernel
/// is registered is folded away. OwnCode: machine code of a user's own program (own_code_shown). Hits: line
/// (number), buttons "source:profile", "source:registration"; "source:scroll": from a to b lines can be
/// scrolled.
Picture source_panel(const RunQueries&, const Cursor&, const Theme&, const Metrics&, float width,
                     float height, const WatchState& = {}, const Prediction* = nullptr,
                     const std::shared_ptr<const OwnCode>& = nullptr, SourceShown = {});

/// The greatest WatchState::source_shift that still shows something of the longest line.
int source_shift_most(const RunQueries&, const Cursor&);

}  // namespace bscope
