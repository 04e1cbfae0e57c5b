// What runs between the cells before and after: arrows from cells into pills, and from pills down through the
// barrier.
#pragma once

namespace bscope {

struct ArrayGrid;
struct ArrowZone;
struct CellRow;
struct MoveMarks;
struct MovePills;
struct OccupiedBoxes;
class Pen;
struct StepStates;
struct StepView;
struct Theme;

/// Arrows, pills and the values on their way, at this moment of the step's motion. Returns the marks that it
/// draws; texts keep clear of what is occupied, and occupy their own places.
MoveMarks draw_arrows(Pen&, const Theme&, const ArrayGrid&, const StepView&, const StepStates&,
                      const CellRow&, const MovePills&, const ArrowZone&, OccupiedBoxes&);

}  // namespace bscope
