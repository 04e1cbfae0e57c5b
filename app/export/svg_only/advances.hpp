// Widths of the figures' letters where cairo is not built in: from a table that the build makes of the fonts'
// files, so that a program without any library, on a machine without any font, draws the same SVG.
#pragma once

#include "app/draw/picture.hpp"

namespace bscope {

/// Widths of Inter and JetBrains Mono, the same as cairo's. A letter that neither of them has is as wide as a
/// letter of the code; Chinese is square. Safe to call from several threads.
Metrics table_metrics();

}  // namespace bscope
