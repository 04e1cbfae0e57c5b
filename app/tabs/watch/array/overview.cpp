#include "app/tabs/watch/array/overview.hpp"

#include <algorithm>
#include <string>

#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/labels.hpp"
#include "app/tabs/watch/array/lens.hpp"
#include "app/tabs/watch/array/overview_cells.hpp"
#include "app/tabs/watch/array/rows.hpp"
#include "app/tabs/watch/array/rows_layout.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// What stands where, from the top: all cells, their numbers, the lens.
struct OverviewLayout {
  float top = 0, rest = 0;  ///< of the picture's height
  float left = 0, right = 0;
  float index_h = 0, lens_h = 0;  ///< a line of numbers; what the lens needs
  CellLines lines;
  bool values = false;  ///< lines may be high enough for them
  Zoom level = Zoom::strip;
  float width() const { return right - left; }
};

OverviewLayout overview_layout(const Theme& t, const ArrayGrid& grid, const StepView& v, float top,
                               std::optional<Zoom> held) {
  OverviewLayout out;
  out.top = top;
  out.rest = grid.bottom - top;
  out.left = grid.columns.left;
  out.right = grid.columns.right();
  out.index_h = t.small() * 1.2f + t.px(4);
  // both rows, the moves between, indices and a caption
  out.lens_h = t.px(28 + 46 + 20 + 52 + 14, 32 + 44 + 24 + 48 + 14) + out.index_h + t.label() * 1.3f;
  const float most = std::max(t.px(20), out.rest - out.lens_h - (t.projector() ? 0 : out.index_h) - t.px(4));
  CellLines& lines = out.lines = cell_lines(v, grid.columns);
  lines.left = out.left;
  lines.top = top;
  lines.line_h = std::min(t.px(lines.count <= 2 ? 24 : 18), most / float(lines.count));
  lines.cell_w = out.width() / float(lines.wide);
  out.values = lines.count <= 8 && lines.line_h >= t.small() * 1.25f;
  // rows of 32 are never high enough for values and arrows
  if (grid.columns.visible > wrap_at)
    out.level = std::max(Zoom::colour, zoom_level(lines.line_h / t.scale, held));
  return out;
}

void draw_when(Pen& pen, const Theme& t, const StepView& v, float y) {
  if (v.block.turns.contains(v.to.array))
    draw_label(pen, t, y, row_name(pen, t, v, v.to), Font::mono_bold, t.ink);
  else
    draw_label(pen, t, y, std::string(v.landed ? tr("after") : tr("before")), Font::text_bold, t.ink);
}

/// All cells, and where the selected one is.
struct DrawnOverview {
  float bottom = 0;
  Box focus;
  DrawnCells cells = {};
};

/// `focus`: the selected cell's number among those in view; outside of them: the first one's place.
DrawnOverview draw_in_lines(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v,
                            const StepStates& states, const LitCells& lit, const OverviewLayout& at,
                            int focus) {
  const CellLines& lines = at.lines;
  const float grid_h = lines.line_h * float(lines.count);
  draw_when(pen, t, v, at.top + std::min(grid_h, t.label() * 1.4f) / 2);
  const DrawnCells cells = draw_cells_in_lines(pen, t, grid.columns, v, states.row_after(v.landed), lit.after,
                                               lines, at.level, at.values);
  draw_line_numbers(pen, t, v, lines);
  float bottom = at.top + grid_h;
  if (!t.projector()) bottom += at.index_h;
  const bool in_view = focus >= 0 && focus < grid.columns.visible;
  return {bottom, in_view ? lines.box_of(focus) : Box{at.left, at.top, lines.cell_w, lines.line_h}, cells};
}

/// The first and last cell's number below a strip, and what its colours mean.
void draw_strip_words(Pen& pen, const Theme& t, const OverviewLayout& at, float y, int first, int last) {
  const float size = t.small();
  const std::string ends[2] = {std::to_string(first), std::to_string(last)};
  pen.text({at.left, y}, ends[0], size, t.ink3, Font::mono);
  pen.text({at.right, y}, ends[1], size, t.ink3, Font::mono, Align::right);
  const float room = at.right - at.left - pen.width(ends[0], size, Font::mono) -
                     pen.width(ends[1], size, Font::mono) - t.px(16);
  pen.text({(at.left + at.right) / 2, y},
           pen.fitted(tr("each column: the largest of its cells; changed ones win"), room, size), size,
           t.ink3, Font::text, Align::centre);
}

/// As draw_in_lines().
DrawnOverview draw_in_strip(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v,
                            const StepStates& states, const OverviewLayout& at, int focus) {
  const Columns& c = grid.columns;
  const float width = at.width(), strip_h = std::clamp(at.rest * 0.14f, t.px(20), t.px(30));
  draw_when(pen, t, v, at.top + strip_h / 2);
  DrawnOverview out{at.top + strip_h, {at.left, at.top, at.lines.cell_w, at.lines.line_h}};
  out.cells =
      draw_cells_in_strip(pen, t, c, v, *states.row_after(v.landed).state, {at.left, at.top, width, strip_h});
  if (focus >= 0 && focus < c.visible) {
    const float w = std::max(t.px(6), width / float(c.visible));
    const float x = at.left + (float(focus) + 0.5f) / float(c.visible) * width - w / 2;
    out.focus = {clamp_or_least(x, at.left, at.right - w), at.top, w, strip_h};
  }
  // below a lesson's strip the lens needs the room of these words
  if (!t.projector() || at.top + at.rest - out.bottom - at.index_h - t.px(14) >= at.lens_h) {
    const int first = v.to.first + c.first;
    draw_strip_words(pen, t, at, out.bottom + at.index_h / 2, first, first + c.visible - 1);
    out.bottom += at.index_h;
  }
  return out;
}

/// The lens hangs below the place that it magnifies.
void draw_lens_frame(Pen& pen, const Theme& t, const DrawnOverview& all, float left, float lens_w,
                     float lens_top) {
  const Colour thin = mix(t.ink3, t.panel, 0.6f);
  pen.rect(all.focus, 0, t.ink, t.px(2), t.px(2));
  pen.line({all.focus.x, all.bottom}, {left, lens_top - t.px(3)}, thin, t.px(1));
  pen.line({all.focus.right(), all.bottom}, {left + lens_w, lens_top - t.px(3)}, thin, t.px(1));
}

}  // namespace

Zoom draw_overview(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v,
                   const StepStates& states, const LitCells& lit, const DrawnMoves& moves, float top,
                   std::optional<Zoom> held) {
  const OverviewLayout at = overview_layout(t, grid, v, top, held);
  const bool focused = v.selected && v.in_part(*v.selected, v.to);
  const int focus_cell = focused ? v.selected->index - v.to.first : -1,
            focus = focus_cell - grid.columns.first;
  const DrawnOverview all = at.level < Zoom::strip ? draw_in_lines(pen, t, grid, v, states, lit, at, focus)
                                                   : draw_in_strip(pen, t, grid, v, states, at, focus);
  const std::vector<int> cells = lens_cells(v, moves, grid.columns.first);
  if (cells.empty()) return at.level;
  const float lens_top = all.bottom + t.px(14),
              pitch = std::min(at.width() / float(cells.size()), t.px(76, 90));
  if (focus_cell >= 0) draw_lens_frame(pen, t, all, at.left, pitch * float(cells.size()), lens_top);
  // a lens has its own size of cells
  const CellRow row = cell_row(t, cells, at.left, pitch, zoom_level(pitch / t.scale) == Zoom::full);
  draw_rows(pen, t, grid, v, states, lit, moves, row,
            {lens_top, at.top + at.rest, false, all.cells.dots, all.cells.shades});
  return at.level;
}

}  // namespace bscope
