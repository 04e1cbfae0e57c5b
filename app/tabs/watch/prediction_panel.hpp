// Predict: the question, what was guessed, and afterwards what it is and why. Stands where the why panel
// does.
#pragma once

#include "app/run/cursor.hpp"

namespace bscope {

struct Metrics;
struct Picture;
struct Prediction;
class RunQueries;
struct Theme;

/// The prediction must be on for the cursor's step. Hits: cell (array, index) for each cell it names, button
/// "predict:reveal", "predict:hint", "predict:skip", and once revealed "predict:next", "predict:done".
Picture prediction_panel(const RunQueries&, const Cursor&, const Prediction&, const Theme&, const Metrics&,
                         float width, float height);

}  // namespace bscope
