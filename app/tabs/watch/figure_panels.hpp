// The whole run, the source and the why panel in the window.
#pragma once

#include "app/shell/panel.hpp"

namespace bscope {

/// `prediction` is the one that is on, or null.
void show_whole_run(View&, Box, const Prediction* prediction);
void show_source(View&, Box, const Prediction* prediction);
void show_why(View&, Box);
/// Does the why panel stand over the source's place?
bool why_is_tall(const State&);

}  // namespace bscope
