// Predict: the question, what was guessed, and afterwards what it is and why. Stands where the why panel
// does.
#pragma once

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/run/run.hpp"
#include "app/session/prediction.hpp"
#include "engine/analysis/run_queries.hpp"

namespace bscope {

/// The prediction must be on for the cursor's step. Hits: cell (array, index) for each cell it names, button
/// "predict:reveal", "predict:hint", "predict:skip", and once revealed "predict:next", "predict:done".
Picture prediction_panel(const RunQueries&, const Cursor&, const Prediction&, const Theme&, const Metrics&,
                         float width, float height);

}  // namespace bscope
