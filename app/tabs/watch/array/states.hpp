// What the cells of the rows before and after hold, and which of them are relatives of the selected cell.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/array_state.hpp"
#include "engine/analysis/moment.hpp"
#include "engine/analysis/relatives.hpp"

namespace bscope {

struct ArrayRangeWords;
struct StepView;
struct Word;

/// What cells of an array say at one moment: their values, or which inputs they were made from. It refers to
/// what it is made of.
struct CellTexts {
  const ArrayState* state = nullptr;
  const ArrayRangeWords* words = nullptr;  ///< null: values
  bool known(int at) const { return at < state->size() && state->is_known(at); }
  /// Of a known cell; in few letters if `briefly`.
  std::string text(int at, bool briefly) const;
};
/// "x4..x7", "x3", "identity"; several runs: the first, and that there are more.
std::string word_text(const Word&, bool briefly);

/// The states of a step's rows.
struct StepStates {
  /// `words`: cells say which inputs they were made from.
  StepStates(const StepView&, bool words);

  StatePtr before, was, after;  ///< StepView::from before the step; StepView::to before and after it
  std::shared_ptr<const ArrayRangeWords> words_before, words_was, words_after;  ///< null: values are shown

  CellTexts row_before() const { return {before.get(), words_before.get()}; }
  /// The row after, as it was before the writes land, and as it is then.
  CellTexts row_after(bool landed) const {
    return landed ? CellTexts{after.get(), words_after.get()} : CellTexts{was.get(), words_was.get()};
  }
};

/// Of the rows' cells: whether they hold what went into the selected cell, or what it flows into. Empty: that
/// is not asked for.
struct LitCells {
  Related relatives = {};
  std::vector<bool> before = {}, after = {};
  bool any() const { return !before.empty() || !after.empty(); }
};
/// By default the whole run alone lights ancestors, unless a cell was chosen: here they would lie over every
/// step.
LitCells lit_cells(const StepView&, const Moment&, Relatives);
/// Whether the cell (of the part, from 0) is one of them.
inline bool is_lit(const std::vector<bool>& cells, int cell) {
  return size_t(cell) < cells.size() && cells[size_t(cell)];
}

}  // namespace bscope
