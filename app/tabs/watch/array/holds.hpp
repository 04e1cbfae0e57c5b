// What changed cells are sums of, bracketed over the inputs that they cover.
#pragma once

namespace bscope {

struct ArrayGrid;
struct CellRow;
class Pen;
struct StepView;
struct Theme;

/// Whether the analysis knows of a changed cell what it is a sum of.
bool holds_wanted(const StepView&);
/// Below the indices; nothing before the writes have landed.
void draw_holds(Pen&, const Theme&, const ArrayGrid&, const StepView&, const CellRow&, float y);

}  // namespace bscope
