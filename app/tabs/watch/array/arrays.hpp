// Every array that the block touches, small, one below the other: what this step reads and writes of each.
#pragma once

namespace bscope {

struct ArrayGrid;
class Pen;
struct StepView;
struct Theme;

/// All of them, from `y` down. `words`: cells say which inputs they were made from.
void draw_arrays(Pen&, const Theme&, const ArrayGrid&, const StepView&, bool words, float y);

}  // namespace bscope
