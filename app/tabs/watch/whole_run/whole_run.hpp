// Whole run: one row an interval on the array view's columns. Values of the past, structure of the future.
#pragma once

#include "app/run/cursor.hpp"
#include "app/tabs/watch/watch_state.hpp"

namespace bscope {

struct Metrics;
struct Picture;
struct Prediction;
class RunQueries;
struct Theme;

/// A prediction that is on keeps the present step's answers back, and shows the guesses. Hits: cell (array,
/// index; name "run:INTERVAL:INDEX"), interval (index). Without `future` it ends at the present step.
Picture whole_run(const RunQueries&, const Cursor&, const Theme&, const Metrics&, float width, float height,
                  const WatchState& = {}, const Prediction* = nullptr, bool future = true);

}  // namespace bscope
