// What the Watch pictures share: margins, colours for many cells, motion, coloured sentences.
#pragma once

#include <string>
#include <vector>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/run/values.hpp"
#include "engine/analysis/moments.hpp"

namespace bscope {

/// Left edge of the cells in the array view and in the whole run; labels stand before it.
inline float label_column(const Theme& t) { return t.px(t.projector() ? 124 : 104); }
/// Inner margin of a panel.
inline float margin(const Theme& t) { return t.px(t.projector() ? 12 : 16); }

/// The phase that a step is in, by name; a launch that names no phases goes by its own name.
inline std::string phase_name(const Moments& m, const Step& s) { return phase_name(m.trace(), *s.interval); }
/// Grey of a cell whose value cannot be written: lightness is the logarithm of its size.
Colour shade(const Theme&, double value, double largest);
/// How far a motion from `start` to `end` (ms of 600) has come at this phase, 0 to 1, linear.
float progress(float phase, float start, float end);
float ease_in_out(float);  ///< cubic
float ease_out(float);     ///< cubic

/// A sentence whose parts have their own colours and fonts.
struct Part_of_text {
  std::string words;
  Colour colour = 0;
  Font font = Font::text;
  int cell_array = -1, cell_index = -1;  ///< a cell that it names: answers to the mouse
};
using RichText = std::vector<Part_of_text>;
/// Breaks at spaces, draws from the box's top, and returns the height used. With `draw` off only measures.
float rich_text(Pen&, Box, const RichText&, float size, bool draw = true);

}  // namespace bscope
