// Arrays of more cells than a row has room for: all of them small, and a lens on some with the moves.
#pragma once

#include <optional>

#include "app/draw/picture.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/moves.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"

namespace bscope {

struct Theme;

/// From `top` down. `held`: the level of zoom that was shown before; returns the one shown now.
Zoom draw_overview(Pen&, const Theme&, const ArrayGrid&, const StepView&, const StepStates&, const LitCells&,
                   const DrawnMoves&, float top, std::optional<Zoom> held);

}  // namespace bscope
