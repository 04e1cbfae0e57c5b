// What goes into a move's pill, as the picture says it. No pixels.
#pragma once

#include <string>
#include <vector>

#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct CellRow;
struct DrawnMove;
struct StepStates;
struct StepView;

/// One value that goes into a move's pill.
struct MoveInput {
  CellRef place;      ///< the cell it was read from; array -1: several values together
  std::string words;  ///< what stands beside its arrow; empty: nothing does
  int cell = -1;      ///< the cell of the row before that its arrow leaves, -1: it comes from elsewhere
  bool in_register = false;  ///< it came in a register: a box, no arrow
  bool meanwhile = false;    ///< it was written within the step: its arrow does not leave the row before
  int writer = -1;           ///< then: the store (a node) that it comes from
  /// It comes from a cell that the picture does not show.
  bool from_outside() const { return cell < 0 && !in_register && !meanwhile; }
};
/// Cells of the row before one by one, whatever else comes together.
std::vector<MoveInput> inputs_of(const StepView&, const StepStates&, const CellRow&, const DrawnMove&);
/// The same of a move that is drawn as a dot: places alone, without words.
std::vector<MoveInput> input_places(const StepView&, const StepStates&, const CellRow&, const DrawnMove&);

}  // namespace bscope
