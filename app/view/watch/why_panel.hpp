// Why: how the selected cell came to hold its value.
#pragma once

#include "app/view/picture.hpp"
#include "app/view/theme.hpp"
#include "app/view/watch/model.hpp"

namespace bscope {

/// Hits: cell (array, index) for each cell it names, thread (rank).
Picture why_panel(const WatchModel&, const Cursor&, const Theme&, const Metrics&, float width, float height);

}  // namespace bscope
