// What the parts of the array view share. Each part draws one concern into the scene, from its `y` downwards.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/tabs/watch/array_view.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/relatives.hpp"
#include "app/tabs/watch/watch_state.hpp"

namespace bscope {

inline constexpr int wrap_at = 32;  ///< cells in a row: a column is a bank
/// Whether a part of so many cells of this array stands as a tile, a line for each of its rows.
inline bool stands_as_tile(const ArrayInfo& info, int cells) {
  const int row = info.row_size();
  return info.rows > 1 && row > 1 && row <= 2 * wrap_at && cells > row;
}

/// A move as it is drawn.
struct Drawn {
  const Move* move = nullptr;
  int to = -1;  ///< cell of the shown part; -1: its value goes nowhere that is shown
  bool focus = false;
  int times = 1;  ///< moves of other threads to the same cell that this one stands for
};
/// The moves of a step that a picture draws, and what its captions count among them. Found once for a step
/// and a followed thread, not for each zoom and phase of it.
struct Chosen {
  const Step* step = nullptr;
  int substep = -1;
  ArrayRange from, to;
  int followed = -1;
  std::vector<Drawn> moves;
  std::vector<std::pair<const Move*, int>>
      elsewhere;  ///< the first move to each other array; how many there are
  int focus = 0, held = 0, writes = 0;
  bool registers = false;           ///< a value was read before the barrier
  bool lanes = false;               ///< a value was handed on by lanes
  const Move* meanwhile = nullptr;  ///< the first that read what the step itself had written by then
  size_t meanwhile_load = 0;        ///< which of its loads that was
};

/// What is shown of an array at one moment: values, or which inputs they were made from.
struct Content {
  const ArrayState* state = nullptr;
  const ArrayRangeWords* words = nullptr;  ///< null: values
  bool known(int at) const { return at < state->size() && state->is_known(at); }
  std::string text(int at, bool briefly) const;
};

/// One array view being made: what it shows, and the pen that draws it.
struct Scene {
  Scene(const RunQueries&, const Cursor&, const WatchState&, const Prediction*, const Theme&, const Metrics&,
        float w, float h);

  const RunQueries& model;
  const Cursor& cursor;
  const WatchState& state;
  const Prediction* prediction;  ///< null: none is asked for
  const Theme& theme;
  Picture picture;
  Pen pen;
  const BlockSteps& block;
  const Step& step;
  const WarpInstruction* sub;  ///< the sub-step that is shown; null: the whole step
  Columns columns;
  ArrayRange to, from;          ///< what the rows after and before show
  StatePtr before, was, after;  ///< `from` before the step, `to` before and after it
  std::shared_ptr<const ArrayRangeWords> words_before, words_was, words_after;  ///< null: values are shown
  /// Of the parts' cells: whether they hold what went into the selected cell, or what it flows into. Empty:
  /// that is not asked for.
  Related relatives;
  std::vector<bool> lit_before, lit_after;
  int home = 0;  ///< the block that the cursor stands on; `block`, where it touches no memory, is another
  int threads = 1;
  Selection selection;
  int followed = -1;                ///< the selection's thread, where it takes part in what is shown
  std::optional<CellRef> selected;  ///< the selection's cell
  bool landed = true;
  std::optional<Zoom> held;  ///< the level shown before: it holds on a little beyond its limits
  Zoom level = Zoom::full;   ///< what the cells' size has room for
  bool tight = false;        ///< pills without their blank, where columns are narrow
  std::shared_ptr<const Chosen> chosen;
  std::map<std::string, int> pills;  ///< how many of each name there are
  std::vector<Box> occupied;         ///< what texts keep clear of
  /// Marks that the captions explain, where they have been drawn.
  struct Marks {
    bool boxed = false;     ///< a value in a box: it came in a register
    bool picked = false;    ///< an arrow from another pill's write
    std::string words, by;  ///< "t3: 5", drawn at an arrow: a value that t3 wrote within the step
  } marks;
  float y = 0;  ///< how far the picture has come

  /// Whether every block of the launch is shown, small. Of one block there is nothing to choose from.
  bool shows_blocks() const {
    return state.all_blocks && model.trace().launches[size_t(block.launch)].grid > 1 && !theme.projector() &&
           !hides();
  }
  /// The row after, as it is by now.
  Content shown() const {
    return landed ? Content{after.get(), words_after.get()} : Content{was.get(), words_was.get()};
  }
  /// Whether the step's answers are kept back.
  bool hides() const { return prediction && prediction->hides(); }
  float px(float v) const { return theme.px(v); }
  float value_size() const { return px(theme.size_value); }
  float label_size() const { return px(theme.size_label); }
  float index_size() const { return px(theme.size_index); }
  ArrayRange part(int array) const;
  std::string name(CellRef p) const { return model.name(block.launch, p); }
  std::string array_name(int array) const { return model.array(block.launch, array).name; }
  /// "data[16..31]" for a part, "sum[16]" for a whole array: the size, as it is declared.
  std::string part_name(const ArrayRange&) const;
  /// What stands before a row that shows an array: "data"; or a row of one whose rows take turns:
  /// "sum[8..15]", where that has no room "sum[8..]" or "row 2".
  std::string row_name(const ArrayRange&) const;
  /// Whether the place lies in what is shown of its array.
  bool in_part(CellRef, const ArrayRange&) const;
  /// Whether the rows before and after show the same cells.
  bool one_row() const;
  float label_room() const { return columns.left - margin(theme) - px(4); }
  std::string value(uint64_t bits, uint8_t kind) const;
  /// What is shown as written: by the step, or by the sub-step alone.
  const Step::WrittenCells& written() const { return sub ? sub->written : step.written(); }
  std::span<const std::pair<uint64_t, Step::Written>> written_in(int array, int first, int count) const;
  const Step::Written* writes_of(CellRef) const;
  bool works(int rank) const;
  static bool lit(const std::vector<bool>& all, int cell) {
    return size_t(cell) < all.size() && all[size_t(cell)];
  }
  /// Whether two threads race for the cell, and this step writes it.
  bool raced(CellRef) const;
  /// Words before the cells' first column.
  void label_at(float y, std::string_view words, Font, Colour);
  void cell_hit(const Box&, CellRef, const ArrayState&, const char* row);
};

/// Cells of a part, side by side.
struct CellRow {
  std::vector<int> cells;  ///< ascending
  float left = 0, pitch = 0, cell_w = 0, room = 0;
  bool roomy = false;      ///< wide enough for values at full size, ghosts and pills
  float gap = 0;           ///< more room where the cells jump, for a mark
  std::vector<int> jumps;  ///< of each column: how often they jumped before it
  float x(size_t column) const {
    return left + pitch * (float(column) + 0.5f) + (column < jumps.size() ? gap * float(jumps[column]) : 0);
  }
  float x_of(int cell) const { return x(column(cell)); }
  bool has(int cell) const;
  float right() const {
    return left + pitch * float(cells.size()) + (jumps.empty() ? 0 : gap * float(jumps.back()));
  }

 private:
  size_t column(int cell) const;
};
CellRow cell_row(const Scene&, std::vector<int> cells, float left, float pitch, bool roomy);

// array_moves.cpp
std::shared_ptr<const Chosen> choose_moves(const Scene&);
/// A value loaded before the barrier arrives in a register, not from the cell.
bool read_now(const Scene&, const Move&, CellRef);
std::string value_written(const Scene&, const Move&);
/// If the load (one of the move's) saw another value than the row before shows, one that was written within
/// the step: the writer, "t3", or "b2" for a thread of another block. Else empty.
std::string written_meanwhile(const Scene&, const Move&, size_t load);
/// "t3: 5": what such a load saw.
std::string meanwhile_words(const Scene&, const Move&, size_t load);

/// One value that goes into a move's pill, as the picture says it.
struct Input {
  CellRef place;      ///< the cell it was read from; array -1: several values together
  std::string words;  ///< what stands beside its arrow; empty: nothing does
  int cell = -1;      ///< the cell of the row before that its arrow leaves, -1: it comes from elsewhere
  bool in_register = false;  ///< it came in a register: a box, no arrow
  bool meanwhile = false;    ///< it was written within the step: its arrow does not leave the row before
  int writer = -1;           ///< then: the store (a node) that it comes from
};
/// What goes into the pill: cells of the row before one by one, whatever else comes together.
std::vector<Input> inputs_of(const Scene&, const CellRow&, const Drawn&);
/// Where many moves are drawn at once, only some of them are: whether the k-th of so many is.
bool is_drawn(const Drawn&, size_t k, size_t of);
/// Clauses as one sentence.
std::string joined(const std::vector<std::string>&, const std::string& between);
/// What the picture leaves out, a clause each. `marks`: those that are explained.
std::vector<std::string> captions(const Scene&, const CellRow&, const Scene::Marks& marks);
/// The marks that the step's moves give reason for, drawn or not.
Scene::Marks wanted_marks(const Scene&);

// array_head.cpp: title, arrays to choose from, the sub-step, threads
void draw_title(Scene&);
/// Of an array's name: shows it alone.
HitRegion array_hit(const Scene&, const ArrayRange&);
/// The launches of the run and the blocks of this one.
void draw_where(Scene&);
void draw_substep(Scene&);
void draw_threads(Scene&);

// array_cells.cpp
/// "x4..x7", "x3", "identity"; several runs: the first, and that there are more.
std::string word_text(const Word&, bool briefly);
CellStyle fit(const Scene&, const Content&, const ArrayRange&, const std::vector<int>& cells, float room,
              float most);
/// Nothing where the value is not known.
void draw_value(Scene&, const Content&, int at, const CellStyle&, Point middle, Colour ink, bool bold);
/// A cell's fill: the wider the run of inputs it holds, the bluer; plain where values are shown.
Colour cell_fill(const Scene&, const Content&, int at);
/// Cells of `from` before the step; those in `lit` are read.
void draw_before(Scene&, const CellRow&, float y, float h, const std::vector<int>& lit);
/// Cells of `to` after it.
void draw_after(Scene&, const CellRow&, float y, float h);
void draw_indices(Scene&, const CellRow&, float y);

// array_arrows.cpp
/// Where arrows run: from the row before through the barriers to the row after.
struct ArrowZone {
  float before_bottom = 0, open_y = 0, close_y = 0, after_top = 0, pill_h = 0;
  std::vector<float> lane_y;  ///< middles of the pills' lanes
};
/// What a pill says: its thread and operator, "t3 +"; of several threads how many, "20x +".
std::string pill_text(const Scene&, const Drawn&);
/// A thread of the block, with its x and y where it has them: "37 (x 5, y 2)".
std::string named_thread(const Scene&, int rank);
/// Where a move's pill stands: in which lane, how far from its column's middle.
struct Seat {
  int lane = 0;
  float dx = 0;
  bool stacked = false;  ///< others stand above or below it
};
/// One a move. The pills of one cell stand side by side; where the column has no room for that, one below the
/// other (`stack`), or one of them for all.
std::vector<Seat> seats(const Scene&, const CellRow&, std::vector<Drawn>&, bool stack);
/// Whether pills side by side in their lanes leave each other room.
bool pills_fit(const Scene&, const CellRow&, const std::vector<Drawn>&, const std::vector<Seat>&);
/// `family`: so many that only the followed thread's have pills and values.
void draw_arrows(Scene&, const CellRow&, const std::vector<Drawn>&, const std::vector<Seat>&,
                 const ArrowZone&, bool family);
inline constexpr int most_lanes = 3;

// array_tags.cpp: values on arrows
/// What an arrow carries from a cell to a pill: a Bezier curve, or straight down.
struct CarriedValue {
  Point p[4];
  bool curved, focus;
  std::string words;
};
/// A value on its way.
void draw_chip(Scene&, Point at, const std::string& words, Colour fill);
Point on_curve(const Point (&)[4], float t);
bool overlap(const Box&, const Box&);
/// Whether nothing has taken the place yet.
bool is_free(const Scene&, const Box&);
/// The values that arrows carry, each where its arrow runs alone; what finds no such place is left out: its
/// cell has it. Returns which of them are drawn, and where.
std::vector<std::pair<size_t, Box>> draw_tags(Scene&, const std::vector<CarriedValue>&, bool followed_only,
                                              float open_y, float close_y);

// array_holds.cpp: what changed cells are sums of, bracketed over the inputs they cover
bool holds_wanted(const Scene&);
void draw_holds(Scene&, const CellRow&, float y);

// array_rows.cpp: cells before, the moves, cells after
void draw_rows(Scene&, std::vector<int> cells, float left, float pitch, float top, float bottom, bool whole);

// array_lanes.cpp: what the lanes of a warp hand each other
/// The warp whose lanes are shown; -1: cells are.
int shown_warp(const Scene&);
/// Whether lanes of the block hand each other anything, in any of its steps.
bool has_lanes(const Scene&);
void draw_lanes(Scene&, int warp, float bottom);

// array_blocks.cpp: every block of the launch, small
void draw_blocks(Scene&, float bottom);

// array_arrays.cpp: every array that the block touches, small
void draw_arrays(Scene&, float bottom);

// array_position.cpp: where in the array the cells in view lie
void draw_position(Scene&);

// array_overview.cpp: above 32 cells, all of them small, and a lens on ten with the moves
void draw_overview(Scene&, float rest);

}  // namespace bscope
