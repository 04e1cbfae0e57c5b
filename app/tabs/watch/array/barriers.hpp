// The barriers that begin and end a step, between the cells before and after.
#pragma once

namespace bscope {

struct OccupiedBoxes;
class Pen;
struct StepView;
struct Theme;

/// Two lines from `left` to `right`, with their names at the left; of a sub-step the lines alone: nothing
/// opens. The names occupy their places.
void draw_barriers(Pen&, const Theme&, const StepView&, float left, float right, float open_y, float close_y,
                   OccupiedBoxes&);

}  // namespace bscope
