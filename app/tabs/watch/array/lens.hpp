// Which cells of a long array a lens magnifies.
#pragma once

#include <vector>

namespace bscope {

struct DrawnMoves;
struct StepView;

/// At most ten cells of the part, ascending: those of the followed thread's moves first, then their
/// neighbours; all that a prediction asks for, and while it hides the answers no others. `first`: the first
/// cell in view.
std::vector<int> lens_cells(const StepView&, const DrawnMoves&, int first);

}  // namespace bscope
