// Why: how the selected cell came to hold its value.
#pragma once

#include "app/state/tabs.hpp"
#include "app/view/picture.hpp"
#include "app/view/theme.hpp"
#include "app/view/watch/model.hpp"

namespace bscope {

/// The sentence on top; below it the tree as far as it is unfolded (WatchState::why_levels), else what the
/// sources held and who was idle. Hits: cell (array, index) for each cell it names, buttons "why:unfold",
/// "why:tall", "why:fold:ROW" (a: the writer), "why:row:ROW" (a: the writer, -1 none).
Picture why_panel(const WatchModel&, const Cursor&, const Theme&, const Metrics&, float width, float height,
                  const WatchState& = {});

}  // namespace bscope
