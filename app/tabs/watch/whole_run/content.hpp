// What the whole run shows of a run: its rows, the cells of each, and what lights up in them. No pixels.
#pragma once

#include <optional>
#include <string>

#include "app/run/cursor.hpp"
#include "app/tabs/watch/whole_run/rows.hpp"
#include "engine/analysis/array_state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/relatives.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

struct Prediction;
struct WatchState;

/// Marks in the rows of the picture that its header explains.
struct DrawnMarks {
  bool lit = false;   ///< a relative of the selected cell, in blue
  bool dots = false;  ///< a value that is too long for its box
  DrawnMarks& operator|=(const DrawnMarks& o) {
    lit |= o.lit, dots |= o.dots;
    return *this;
  }
};

struct WholeRunContent {
  WholeRunContent(const RunQueries&, const Cursor&, const WatchState&, const Prediction*);

  const RunQueries& model;
  const Prediction* prediction;  ///< null: none is asked for
  const BlockSteps& block;       ///< the cursor's
  Track track;
  const Step& now;
  ArrayRange part;      ///< of the shown array, in the cursor's launch
  ArrayRange from, to;  ///< cells before and after the step that the array view shows
  bool steps_through;   ///< one instruction is shown there, not the whole step
  std::optional<CellRef> selected;
  bool landed = true;
  Related related;
  bool shades = false;               ///< greys stand for values: columns are too narrow for them
  DrawnMarks marks = {.lit = true};  ///< those drawn, once they are; before, what is expected
  int scroll = 0;                    ///< rows that the present step's picture is scrolled
  WholeRunRows rows;                 ///< whole_run_rows(), once the room for them is known

  const WholeRunRow& row(int r) const { return rows.all[size_t(r)]; }
  const Step& step(int r) const;
  bool past(int r) const { return r < rows.present; }
  bool present(int r) const { return r == rows.present; }
  /// The present step's row, or one of the rows within it.
  bool in_present(int r) const { return r >= rows.present_first && r <= rows.present_last; }
  /// Whether the row shows values: it has happened.
  bool values(int r) const { return past(r) || (present(r) && landed); }
  /// Whether a step stands there that has not happened: it has cells and links, and no values.
  bool has_future() const;
  bool of_this_launch(int r) const { return row(r).launch == block.launch; }
  std::string name(CellRef p) const { return model.name(block.launch, p); }
  CellRef place(int node) const { return model.flow().nodes[size_t(node)].place; }

  /// The cells that a row shows: in other launches those of the array that its block writes most.
  ArrayRange part_of(int r) const;
  /// The column of a cell of the row's array: rows that take turns stand on the same columns.
  int column(int r, CellRef, const ArrayRange&) const;
  /// Whether a node is among the ancestors of the selected cell, in a row that has happened; or where its
  /// value goes.
  bool lit(int r, int node) const;
  /// The row that wrote what a load saw; -1: a row that is not shown, or none.
  int written_in(int load) const;
  /// What lights up in the rows in view, in words; empty: nothing does.
  std::string what_lights() const;
};

/// How a row is named, from the longest spelling (0) to the shortest (3).
std::string row_label(const WholeRunContent&, int r, int style);
/// What a lane holds after the exchange, as its box says it.
std::string lane_value(const WholeRunContent&, const Exchange&, const Exchange::ExchangeLane&);

}  // namespace bscope
