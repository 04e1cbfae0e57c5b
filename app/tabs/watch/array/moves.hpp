// The moves of a step that the array view draws, and what is known of their values. No pixels.
#pragma once

#include <compare>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/analysis/array_state.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct Move;
struct Step;
struct StepStates;
struct StepView;

/// A move, or several that are drawn as one.
struct DrawnMove {
  const Move* move = nullptr;
  int to = -1;         ///< cell of the shown part that it stands over
  bool focus = false;  ///< the followed thread's
  int times = 1;       ///< moves of other threads to the same cell that this one stands for
};
/// A cell of the row before whose value, as that row shows it, a thread reads in the step.
struct ReadOfCell {
  int cell = 0;        ///< of the shown part
  bool focus = false;  ///< the followed thread reads it
  auto operator<=>(const ReadOfCell&) const = default;
};
/// All of a step that concern the cells shown, and what captions count among them. They are the same for
/// every zoom and phase of a step and a followed thread.
struct DrawnMoves {
  const Step* step = nullptr;
  int substep = -1;
  ArrayRange from, to;
  int followed = -1;
  std::vector<DrawnMove> all;
  std::vector<ReadOfCell> reads;  ///< of all moves, also of those to other arrays; sorted, distinct
  std::vector<std::pair<const Move*, int>> elsewhere;  ///< the first to each other array; how many there are
  int held = 0, writes = 0;
  bool registers = false;           ///< a value was read before the barrier
  bool lanes = false;               ///< a value was handed on by lanes
  const Move* meanwhile = nullptr;  ///< the first that read what the step itself had written by then
  size_t meanwhile_load = 0;        ///< which of its loads that was
};
/// The model keeps the last answer.
std::shared_ptr<const DrawnMoves> drawn_moves(const StepView&, const StepStates&);

/// Whether the value comes from the cell: one that was loaded before the barrier arrives in a register.
bool read_now(const StepView&, const Move&, CellRef);
std::string value_written(const StepView&, const Move&);
/// If the load (one of the move's) saw another value than the row before shows, one that was written within
/// the step: the store (a node) that wrote it. Else -1.
int written_meanwhile(const StepView&, const StepStates&, const Move&, size_t load);
/// Whether another block wrote it, in a step of its own.
bool is_of_another_block(const StepView&, int store);
/// "t3", or "b2" for a thread of another block.
std::string writer_name(const StepView&, int store);
/// "t3: 5": what such a load saw.
std::string meanwhile_words(const StepView&, const StepStates&, const Move&, size_t load);

}  // namespace bscope
