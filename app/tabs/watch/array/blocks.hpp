// Every block of a launch, small: its cells as a strip, its working threads as a strip below.
#pragma once

namespace bscope {

struct ArrayGrid;
class Pen;
struct StepView;
struct Theme;

/// All of them, from `y` down; a press goes to the block. `home`: the block that the cursor stands on.
void draw_blocks(Pen&, const Theme&, const ArrayGrid&, const StepView&, int home, float y);

}  // namespace bscope
