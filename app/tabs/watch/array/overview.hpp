// Arrays of more cells than a row has room for: all of them small, and a lens on some with the moves.
#pragma once

#include <optional>

#include "app/tabs/watch/array/columns.hpp"

namespace bscope {

struct ArrayGrid;
struct DrawnMoves;
struct LitCells;
class Pen;
struct StepStates;
struct StepView;
struct Theme;

/// From `top` down. `held`: the level of zoom that was shown before; returns the one shown now.
Zoom draw_overview(Pen&, const Theme&, const ArrayGrid&, const StepView&, const StepStates&, const LitCells&,
                   const DrawnMoves&, float top, std::optional<Zoom> held);

}  // namespace bscope
