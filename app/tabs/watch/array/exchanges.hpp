// One exchange between the lanes of a warp: arrows from the lanes that gave to those that took.
#pragma once

#include <cstddef>

namespace bscope {

struct LanesLayout;
class Pen;
struct StepView;
struct Theme;
struct WarpLanes;

/// From the row above into the k-th in view, which an exchange made.
void draw_exchange(Pen&, const Theme&, const StepView&, const WarpLanes&, const LanesLayout&, size_t k);

}  // namespace bscope
