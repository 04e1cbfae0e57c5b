#include "app/draw/snapping.hpp"

#include <cmath>

namespace bscope {

void snap_line(Point& a, Point& b, float thickness) {
  const auto whole = [&](float& p, float& q) {
    if (p == q) p = q = std::round(p - thickness / 2) + thickness / 2;
  };
  whole(a.x, b.x);
  whole(a.y, b.y);
}

}  // namespace bscope
