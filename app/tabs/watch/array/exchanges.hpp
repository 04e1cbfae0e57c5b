// One exchange between the lanes of a warp: arrows from the lanes that gave to those that took.
#pragma once

#include <cstddef>

#include "app/draw/picture.hpp"
#include "app/tabs/watch/array/lanes_layout.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/array/warp.hpp"

namespace bscope {

struct Theme;

/// From the row above into the k-th in view, which an exchange made.
void draw_exchange(Pen&, const Theme&, const StepView&, const WarpLanes&, const LanesLayout&, size_t k);

}  // namespace bscope
