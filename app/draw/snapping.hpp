// Where lines lie on the pixels of a screen.
#pragma once

#include "app/draw/picture.hpp"

namespace bscope {

/// Moves a level or upright line so that its sides are on whole pixels: half on each of two it would look
/// faint.
void snap_line(Point& from, Point& to, float thickness);

}  // namespace bscope
