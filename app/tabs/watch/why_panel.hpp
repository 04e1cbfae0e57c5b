// Why: how the selected cell came to hold its value.
#pragma once

#include "app/run/cursor.hpp"
#include "app/tabs/watch/watch_state.hpp"

namespace bscope {

struct Metrics;
struct Picture;
class RunQueries;
struct Theme;

/// The sentence on top; below it the tree as far as it is unfolded (WatchState::why_levels), else what the
/// sources held and which threads were idle. Hits: cell (array, index) for each cell it names, buttons
/// "why:unfold", "why:tall", "why:fold:ROW" (a: the writer), "why:row:ROW" (a: the writer, -1 none).
Picture why_panel(const RunQueries&, const Cursor&, const Theme&, const Metrics&, float width, float height,
                  const WatchState& = {});

}  // namespace bscope
