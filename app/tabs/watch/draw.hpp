// What the Watch pictures share: margins, colours for many cells, motion.
#pragma once

#include <string>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"

namespace bscope {

class RunQueries;
struct Step;

/// Left edge of the cells in the array view and in the whole run; labels stand before it.
inline float label_column(const Theme& t) { return t.px(t.projector() ? 124 : 104); }
/// Inner margin of a panel.
inline float margin(const Theme& t) { return t.px(t.projector() ? 12 : 16); }

/// The phase that a step is in, by name; a launch that names no phases goes by its own name.
std::string phase_name(const RunQueries&, const Step&);
/// Grey of a cell whose value cannot be written: lightness is the logarithm of its size.
Colour shade(const Theme&, double value, double largest);
/// What such greys say: "lighter: a larger value".
std::string words_for_shades(const Theme&);
/// The frame of a thread that waits for ever: dashed, as the barrier is that does not open.
void draw_stuck_frame(Pen&, const Theme&, const Box&);
/// How far a motion from `start` to `end` (ms of step_ms) has come at this phase, 0 to 1, linear.
float progress(float phase, float start, float end);
float ease_in_out(float);  ///< cubic
float ease_out(float);     ///< cubic

}  // namespace bscope
