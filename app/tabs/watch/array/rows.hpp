// The cells before a step and after it, with the moves between them and words below.
#pragma once

#include "app/draw/picture.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/moves.hpp"
#include "app/tabs/watch/array/rows_layout.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"

namespace bscope {

struct Theme;

void draw_rows(Pen&, const Theme&, const ArrayGrid&, const StepView&, const StepStates&, const LitCells&,
               const DrawnMoves&, const CellRow&, const RowsRoom&);

}  // namespace bscope
