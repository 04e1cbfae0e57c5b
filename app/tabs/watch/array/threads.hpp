// The threads of the block, and which of them work in the step.
#pragma once

namespace bscope {

struct ArrayGrid;
struct ArrayRange;
class Pen;
struct StepView;
struct Theme;

/// From `y` down, each over the cells of its share where all of them are in view; else side by side. `shown`:
/// shown_part(). Returns the y below them.
float draw_threads(Pen&, const Theme&, const ArrayGrid&, const StepView&, const ArrayRange& shown, float y);

}  // namespace bscope
