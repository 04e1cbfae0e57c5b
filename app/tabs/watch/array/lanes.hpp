// What the lanes of a warp hand each other: the registers of a warp as cells, a row before the first exchange
// and one after each, time downwards; arrows run from the lane that gave to the lane that took.
#pragma once

namespace bscope {

struct ArrayGrid;
class Pen;
struct StepView;
struct Theme;
struct WarpLanes;

/// All of them, from `y` down.
void draw_lanes(Pen&, const Theme&, const ArrayGrid&, const StepView&, const WarpLanes&, float y);

}  // namespace bscope
