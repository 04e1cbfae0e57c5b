// Transport and timeline, below every tab that moves through a run step by step.
#pragma once

#include "app/panels/panel.hpp"

namespace bscope {

/// Where they stand in the area.
Box playback_box(const Theme&, Box area);
/// Shows them at the bottom of the area; returns what is left above.
Box show_playback(View&, Box area);

}  // namespace bscope
