// The cells before a step and after it, with the moves between them and words below.
#pragma once

namespace bscope {

struct ArrayGrid;
struct CellRow;
struct DrawnMoves;
struct LitCells;
class Pen;
struct RowsRoom;
struct StepStates;
struct StepView;
struct Theme;

void draw_rows(Pen&, const Theme&, const ArrayGrid&, const StepView&, const StepStates&, const LitCells&,
               const DrawnMoves&, const CellRow&, const RowsRoom&);

}  // namespace bscope
