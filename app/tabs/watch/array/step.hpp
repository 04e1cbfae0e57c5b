// What the array view shows of one step, or of one instruction within it. No pixels.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/analysis/array_state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct Cursor;
struct Prediction;
struct WarpInstruction;

struct StepView {
  /// The cursor's step; its block must have one. What is given must outlive it. `asked`: null: none is.
  StepView(const RunQueries&, const Cursor&, const Prediction* asked);

  const RunQueries& model;
  const Prediction* prediction;  ///< null: none is asked for
  bool hides;                    ///< the step's answers are kept back until the prediction is revealed
  const BlockSteps& block;
  const Step& step;
  const WarpInstruction* sub;                     ///< the sub-step that is shown; null: the whole step
  int threads;                                    ///< of a block
  ArrayRange from, to;                            ///< what the rows before and after show
  bool array_chosen, thread_chosen, cell_chosen;  ///< the cursor asks for one
  int followed;                     ///< the selection's thread, where it takes part in what is shown; else -1
  std::optional<CellRef> selected;  ///< the selection's cell
  float phase;                      ///< 0 to 1 within the step's motion
  bool landed;                      ///< the writes have landed
  bool all_arrows;                  ///< not the followed thread's alone
  bool tells_races = true;          ///< cells that threads race for are marked
  std::vector<int> stuck;           ///< as stuck_lines says of the step; empty in a sub-step

  const Launch& launch() const { return model.trace().launches[size_t(block.launch)]; }
  const Node& node(int id) const { return model.flow().nodes[size_t(id)]; }
  const ArrayInfo& array(int id) const { return model.array(block.launch, id); }
  /// "sum[15]".
  std::string name(CellRef p) const { return model.name(block.launch, p); }
  /// A thread of the block, with its x and y where it has them: "37 (x 5, y 2)".
  std::string thread_name(int rank) const;
  /// The block's part of an array; without cells: it does not touch it.
  ArrayRange part(int array) const;
  /// "data[16..31]" for a part, "sum[16]" for a whole array: the size, as it is declared.
  std::string part_name(const ArrayRange&) const;
  /// Whether the place lies in what is shown of its array.
  bool in_part(CellRef, const ArrayRange&) const;
  /// Whether the rows before and after show the same cells.
  bool one_row() const { return from.array == to.array && from.first == to.first; }
  /// What is shown as written: by the step, or by the sub-step alone.
  const Step::WrittenCells& written() const;
  std::span<const std::pair<uint64_t, Step::Written>> written_in(int array, int first, int count) const;
  /// Null: the cell is not written.
  const Step::Written* writes_of(CellRef) const;
  /// Whether a thread of the block takes part.
  bool works(int rank) const;
  /// Whether a thread of the block waits for ever in this step.
  bool is_stuck(int rank) const { return !stuck.empty() && stuck[size_t(rank)] >= 0; }
  /// Whether two threads race for the cell, and this step writes it.
  bool raced(CellRef) const;
};

}  // namespace bscope
