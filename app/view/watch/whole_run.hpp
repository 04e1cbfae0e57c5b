// Whole run: one row an interval on the array view's columns. Values of the past, structure of the future.
#pragma once

#include "app/state/prediction.hpp"
#include "app/state/tabs.hpp"
#include "app/view/picture.hpp"
#include "app/view/theme.hpp"
#include "app/view/watch/model.hpp"

namespace bscope {

/// A prediction that is on keeps the present step's answers back, and shows the guesses. Hits: cell (array,
/// index; name "run:INTERVAL:INDEX"), interval (index).
Picture whole_run(const WatchModel&, const Cursor&, const Theme&, const Metrics&, float width, float height,
                  const WatchState& = {}, const Prediction* = nullptr);

}  // namespace bscope
