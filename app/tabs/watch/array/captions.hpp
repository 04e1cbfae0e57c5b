// The words below the cells: what the picture leaves out, and what its marks and signs mean. No pixels.
#pragma once

#include <string>
#include <vector>

#include "app/tabs/watch/array/pills.hpp"

namespace bscope {

struct CellRow;
struct LitCells;
struct StepStates;
struct StepView;

/// Marks of a picture's arrows that captions explain.
struct MoveMarks {
  bool boxed = false;      ///< a value in a box: it came in a register
  bool picked = false;     ///< an arrow from another pill's write
  std::string words = {};  ///< "t3: 5", drawn at an arrow: a value that t3 wrote within the step
  int writer = -1;         ///< the store (a node) that wrote it
};
/// Those that the step's moves give reason for, drawn or not.
MoveMarks wanted_marks(const StepView&, const StepStates&, const DrawnMoves&);

/// What is said of values in boxes.
std::string boxed_caption(const StepView&, const DrawnMoves&);
/// What is said of the step's cells, a clause each. `printed`: in a figure, without what keys do.
std::vector<std::string> captions(const StepView&, const LitCells&, const DrawnMoves&, const CellRow&,
                                  const MoveMarks&, bool printed);
/// What the signs of cells and pills mean, a clause each, in few words if `briefly`. `dots`: some stand for
/// values that are too long for their cells.
std::vector<std::string> meanings_of_signs(const StepView&, const StepStates&, const CellRow&,
                                           const MovePills&, bool dots, bool briefly);
/// Clauses as one sentence.
std::string joined(const std::vector<std::string>& clauses, const std::string& between);
/// `said`, with the clauses that replace `planned`: as they stand together there, or where only some of
/// `planned` are said, without those that are no longer among `drawn`.
std::vector<std::string> with_drawn(std::vector<std::string> said, const std::vector<std::string>& planned,
                                    const std::vector<std::string>& drawn);

}  // namespace bscope
