#include "app/tabs/watch/array/rows.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/arrow_paths.hpp"
#include "app/tabs/watch/array/arrows.hpp"
#include "app/tabs/watch/array/barriers.hpp"
#include "app/tabs/watch/array/captions.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/tabs/watch/array/cells.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/holds.hpp"
#include "app/tabs/watch/array/labels.hpp"
#include "app/tabs/watch/array/occupied.hpp"
#include "app/tabs/watch/array/pills.hpp"
#include "app/tabs/watch/array/rows_layout.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/arrows.hpp"
#include "engine/analysis/block_steps.hpp"

namespace bscope {
namespace {

/// Those over the row's cells, where the user has not asked for the followed thread's alone.
std::vector<DrawnMove> moves_over(const StepView& v, const DrawnMoves& moves, const CellRow& row) {
  std::vector<DrawnMove> out;
  for (const DrawnMove& d : moves.all)
    if (row.has(d.to) && (v.all_arrows || d.focus)) out.push_back(d);
  return out;
}

/// Three points in each row, before column `k`: cells are left out there.
void draw_left_out(Pen& pen, const Theme& t, const StepView& v, const CellRow& row, size_t k,
                   std::initializer_list<float> rows) {
  const float x = (row.x(k - 1) + row.x(k)) / 2, d = t.px(3, 4), apart = d * 1.9f;
  const float first = *rows.begin(), last = *(rows.end() - 1);
  for (const float y : rows)
    for (int i = -1; i <= 1; ++i) pen.disc({x + float(i) * apart, y}, d / 2, t.ink2);
  const int from = row.cells[k - 1] + 1, to = row.cells[k] - 1;
  const CellRef a{v.to.array, v.to.first + from}, b{v.to.array, v.to.first + to};
  pen.hit({HitRegion::other,
           {x - 2 * apart, first - t.px(8), 4 * apart, last - first + t.px(16)},
           0,
           0,
           from == to ? tr("{} lies between and is left out.", v.name(a))
                      : tr("{} to {} lie between and are left out.", v.name(a), v.name(b)),
           "gap:" + std::to_string(from)});
}

/// One x per cell, and where a lens leaves out cells between two of its columns.
void draw_guides(Pen& pen, const Theme& t, const StepView& v, const CellRow& row, const RowsLayout& at) {
  const float before_bottom = at.before_y + at.before_h;
  for (size_t k = 0; k < row.cells.size() && row.roomy; ++k)
    pen.line({row.x(k), before_bottom}, {row.x(k), at.after_y}, mix(t.line, t.panel, 0.8f), t.px(1), t.px(3));
  for (size_t k = 1; k < row.cells.size(); ++k)
    if (row.cells[k] != row.cells[k - 1] + 1)
      draw_left_out(pen, t, v, row, k,
                    {at.before_y + at.before_h / 2, at.after_y + at.after_h / 2, at.index_y(t)});
}

void draw_row_label(Pen& pen, const Theme& t, const StepView& v, float y, const ArrayRange& p,
                    const std::string& when, bool loud) {
  const bool one = v.one_row();
  draw_label(pen, t, y, one ? when : row_name(pen, t, v, p),
             one    ? loud ? Font::text_bold : Font::text
             : loud ? Font::mono_bold
                    : Font::mono,
             loud ? t.ink : t.ink2);
}

/// What the moves read of the row before.
struct ReadCells {
  std::vector<int> lit;    ///< framed: by the pills with words, and by moves to other arrays; sorted
  bool aslant = false;     ///< an arrow comes from another column
  bool picked_up = false;  ///< a value comes from another pill
};
ReadCells read_cells(const StepView& v, const StepStates& states, const DrawnMoves& moves, const CellRow& row,
                     const MovePills& pills) {
  ReadCells out;
  for (const ReadOfCell& r : moves.reads)
    if (row.has(r.cell) && (r.focus || (v.all_arrows && !pills.family)) &&
        (out.lit.empty() || out.lit.back() != r.cell))
      out.lit.push_back(r.cell);
  for (const MovePill& pill : pills.all) {
    const DrawnMove& d = pill.of;
    const Arrow& arrow = d.move->arrow;
    for (size_t k = 0; k < arrow.from.size(); ++k) {
      const CellRef p = arrow.from[k];
      if (p.array != v.from.array || !read_now(v, *d.move, p)) continue;
      const int cell = p.index - v.from.first;
      // what was made meanwhile is not what the row before shows
      if (d.times == 1 && k < arrow.loads.size() && written_meanwhile(v, states, *d.move, k) >= 0) {
        out.picked_up = out.picked_up || row.has(cell);
        continue;
      }
      out.aslant = out.aslant || (cell != d.to && row.has(cell));
    }
  }
  return out;
}

ArrowZone arrow_zone(const Theme& t, const RowsLayout& at, int lanes, const ReadCells& read) {
  const float height = at.close_y - at.open_y, apart = std::min(t.px(42), height / float(lanes + 1) * 1.15f);
  // pills stand lower where arrows need room to come from above
  const float share = read.picked_up  ? 0.42f
                      : lanes > 1     ? 0.5f
                      : read.aslant   ? 0.6f
                      : t.projector() ? 0.5f
                                      : 0.46f;
  ArrowZone out{at.before_y + at.before_h, at.open_y, at.close_y, at.after_y,
                std::min(t.label() + t.px(9, 12), height * 0.5f)};
  for (int k = 0; k < lanes; ++k)
    out.lane_y.push_back(at.open_y + height * share + (float(k) - float(lanes - 1) / 2) * apart);
  return out;
}

/// The row before, and the arrows that leave it. Returns the marks that they draw.
MoveMarks draw_before_and_arrows(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v,
                                 const StepStates& states, const LitCells& lit, const DrawnMoves& moves,
                                 const CellRow& row, const MovePills& pills, const RowsLayout& at,
                                 OccupiedBoxes& occupied) {
  const ReadCells read = read_cells(v, states, moves, row, pills);
  draw_row_label(pen, t, v, at.before_y + at.before_h / 2, v.from, tr("before"), false);
  draw_before(pen, t, v, states.row_before(), row, lit.before, read.lit, at.before_y, at.before_h);
  if (pills.all.empty()) return {};
  ArrowZone zone = arrow_zone(t, at, pills.lanes, read);
  // no boxes without the words that explain them; those of a prediction and of one instruction are few
  zone.boxes = v.hides || v.sub || std::ranges::count(at.caption.clauses, boxed_caption(v, moves));
  return draw_arrows(pen, t, grid, v, states, row, pills, zone, occupied);
}

void draw_caption(Pen& pen, const Theme& t, const StepView& v, const std::vector<std::string>& lines, float x,
                  float top) {
  float y = top + t.px(1) + caption_line_height(t) / 2;
  for (const std::string& line : lines) {
    pen.text({x, y}, line, t.label(), v.selected && v.raced(*v.selected) ? t.race : t.ink2);
    y += caption_line_height(t);
  }
}

}  // namespace

void draw_rows(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v, const StepStates& states,
               const LitCells& lit, const DrawnMoves& moves, const CellRow& row, const RowsRoom& room) {
  const MovePills pills = move_pills(pen, t, v, row, moves_over(v, moves, row), room.whole);
  const auto captions_of = [&](const MoveMarks& marks) {
    return captions(v, lit, moves, row, marks, t.printed);
  };
  const bool dots = room.dots || has_dots(pen, t, v, states, row);
  RowsWords words{captions_of(wanted_marks(v, states, moves)),
                  meanings_of_signs(v, states, row, pills, dots, false),
                  meanings_of_signs(v, states, row, pills, dots, true)};
  if (moves.registers && !v.hides) words.keeps = boxed_caption(v, moves);
  if (room.shades && !v.hides)
    for (auto* signs : {&words.signs, &words.signs_briefly}) signs->push_back(words_for_shades(t));
  const float width = grid.width - margin(t) - row.left;
  RowsLayout at =
      rows_layout(pen, t, room, row, words, width, room.whole && holds_wanted(v), v.sub != nullptr);
  draw_guides(pen, t, v, row, at);
  OccupiedBoxes occupied{grid.columns.left - t.px(20), grid.width - t.px(2)};
  draw_barriers(pen, t, v, row.left, row.right(), at.open_y, at.close_y, occupied);
  const MoveMarks marks =
      draw_before_and_arrows(pen, t, grid, v, states, lit, moves, row, pills, at, occupied);
  draw_row_label(pen, t, v, at.after_y + at.after_h / 2, v.to, tr("after"), true);
  draw_after(pen, t, v, states, row, lit.after, at.after_y, at.after_h);
  draw_indices(pen, t, v, row, at.index_y(t));
  if (at.holds_h > 0) draw_holds(pen, t, grid, v, row, at.holds_y(t));
  // of marks that found no room nothing is said
  std::vector<std::string>& lines = at.caption.lines;
  if (const std::vector<std::string> drawn = captions_of(marks); drawn != words.captions) {
    const size_t most = lines.size();
    std::vector<std::string> clauses = with_drawn(at.caption.clauses, words.captions, drawn);
    lines = caption_lines(pen, t, clauses, width);
    // what has no room is left out whole, from the end
    for (; lines.size() > most; lines = caption_lines(pen, t, clauses, width)) clauses.pop_back();
  }
  draw_caption(pen, t, v, lines, row.left, at.holds_y(t) + at.holds_h);
}

}  // namespace bscope
