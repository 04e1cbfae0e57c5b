// Of a zoomed array: the whole of it as a thin strip, and which of its cells are in view.
#pragma once

namespace bscope {

struct ArrayState;
struct Columns;
class Pen;
struct StepView;
struct Theme;

/// From `y` down, a slider; `shown`: the row after. Returns the y below it; nothing where all cells are in
/// view.
float draw_position(Pen&, const Theme&, const Columns&, const StepView&, const ArrayState& shown, float y);

}  // namespace bscope
