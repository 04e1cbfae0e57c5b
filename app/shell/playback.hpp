// Transport and timeline, below every tab that moves through a run step by step.
#pragma once

#include "app/shell/panel.hpp"

namespace bscope {

/// Where they stand in the area.
Box playback_box(const Theme&, Box area);
/// The transport's buttons at the bottom of the area, which keeps what is above. Returns what is left of
/// their bar: the timeline's place.
Box show_buttons(View&, Box& area);
/// Shows them at the bottom of the area; returns what is left above.
Box show_playback(View&, Box area);

}  // namespace bscope
