// Where arrows run between cells and pills.
#pragma once

#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

struct Theme;

/// The room of arrows: from the row before through the barriers to the row after.
struct ArrowZone {
  float before_bottom = 0, open_y = 0, close_y = 0, after_top = 0, pill_h = 0;
  std::vector<float> lane_y = {};  ///< middles of the pills' lanes
  bool boxes = true;               ///< values that wait in registers are drawn
};

/// A cubic Bezier curve.
struct ArrowPath {
  Point p[4] = {};
};
/// Straight from one point to another, as a curve.
ArrowPath straight_path(Point, Point);
/// Where it is at `t`, from 0 to 1.
Point on_curve(const ArrowPath&, float t);
/// How a value comes from its cell to a pill: from above, so that no other pill (`pills`: of all of them)
/// lies on the way and none seems to pass it on; where one does, to the pill's side.
ArrowPath path_to_pill(const Theme&, Point from, const Box& pill, const std::vector<Box>& pills);
/// With a head at its end.
void draw_arrow(Pen&, const Theme&, const ArrowPath&, Colour, float thick);

}  // namespace bscope
