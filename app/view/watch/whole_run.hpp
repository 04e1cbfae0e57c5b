// Whole run: one row an interval on the array view's columns. Values of the past, structure of the future.
#pragma once

#include "app/view/picture.hpp"
#include "app/view/theme.hpp"
#include "app/view/watch/model.hpp"

namespace bscope {

/// Hits: cell (array, index; name "run:INTERVAL:INDEX"), interval (index).
Picture whole_run(const WatchModel&, const Cursor&, const Theme&, const Metrics&, float width, float height);

}  // namespace bscope
