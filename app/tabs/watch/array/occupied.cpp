#include "app/tabs/watch/array/occupied.hpp"

#include <algorithm>

namespace bscope {

bool OccupiedBoxes::is_free(const Box& box) const {
  if (box.x < left || box.right() > right) return false;
  return std::ranges::none_of(boxes, [&](const Box& o) { return overlap(o, box); });
}

}  // namespace bscope
