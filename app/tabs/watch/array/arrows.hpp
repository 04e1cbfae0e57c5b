// What runs between the cells before and after: arrows from cells into pills, and from pills down through the
// barrier.
#pragma once

#include "app/tabs/watch/array/arrow_paths.hpp"
#include "app/tabs/watch/array/captions.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/occupied.hpp"
#include "app/tabs/watch/array/pills.hpp"

namespace bscope {

/// Arrows, pills and the values on their way, at this moment of the step's motion. Returns the marks that it
/// draws; texts keep clear of what is occupied, and occupy their own places.
MoveMarks draw_arrows(Pen&, const Theme&, const ArrayGrid&, const StepView&, const StepStates&,
                      const CellRow&, const MovePills&, const ArrowZone&, OccupiedBoxes&);

}  // namespace bscope
