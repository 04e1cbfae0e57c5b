// Fingers instead of a mouse.
#pragma once

#include "app/draw/picture.hpp"

namespace bscope {

struct TouchInput {
  bool coarse = false;  ///< the pointer is a finger
  /// Two fingers, since the last frame: where, how far they went, and how much farther they are apart.
  struct Pinch {
    Point at{};
    float across = 0, factor = 1;
  } pinch;
};

}  // namespace bscope
