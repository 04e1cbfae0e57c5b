// What texts on arrows keep clear of.
#pragma once

#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

/// The boxes of a picture that are taken, and between which x others may lie.
struct OccupiedBoxes {
  float left = 0, right = 0;
  std::vector<Box> boxes = {};
  /// Whether nothing has taken the place yet.
  bool is_free(const Box&) const;
};

}  // namespace bscope
