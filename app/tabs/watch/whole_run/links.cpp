#include <algorithm>

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/tabs/watch/whole_run/content.hpp"
#include "app/tabs/watch/whole_run/grid.hpp"
#include "app/tabs/watch/whole_run/parts.hpp"
#include "app/tabs/watch/whole_run/rows.hpp"
#include "engine/analysis/array_state.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/trace/cell_ref.hpp"

namespace bscope {

void draw_columns_between(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid) {
  for (int r = grid.view.first; r < grid.view.end();) {
    int end = r;
    while (end < grid.view.end() && run.row(end).what != WholeRunRow::head) ++end;
    if (end - r > 1) {
      const ArrayRange part = run.part_of(r);
      for (int k = 0; k < grid.columns.visible; ++k)
        if (grid.columns.first + k < part.size)
          pen.line({grid.x_of(grid.columns.first + k), grid.row_y(r)},
                   {grid.x_of(grid.columns.first + k), grid.row_y(end - 1)},
                   mix(t.line, t.panel, t.dark() ? 0.75f : 0.6f), t.px(1));
    }
    r = end + 1;
  }
}

namespace {

/// The step's row above this one in its launch; -1: it is the first, or not in view.
int row_above(const WholeRunContent& run, const WholeRunGrid& grid, int r) {
  for (int k = r - 1; k >= grid.view.first; --k) {
    if (run.row(k).what == WholeRunRow::head) return -1;
    if (run.row(k).what == WholeRunRow::step) return k;
  }
  return -1;
}

/// From a cell that a row read to one that it wrote.
struct RunLink {
  int load = -1;         ///< a node
  int from = 0, to = 0;  ///< columns
  bool lights = false;
};

/// Down the column from where the load's value was written, if that is above `row`, to this height. Returns
/// whether it is.
bool draw_way_down(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid,
                   const RunLink& link, int row, float bottom) {
  const int origin = run.written_in(link.load);
  const bool above = origin >= 0 && origin < row;
  if (above)
    pen.line({grid.x_of(link.from), grid.row_y(std::max(origin, grid.view.first)) + grid.cell_h / 2},
             {grid.x_of(link.from), bottom}, t.read, t.px(1.5f));
  return above;
}

/// Returns whether a part of it is lit.
bool draw_link(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid, int r,
               int above, const RunLink& link) {
  const bool ours = run.of_this_launch(r);
  const float y1 = grid.row_y(r) - grid.cell_h / 2,
              y0 = above >= 0 ? grid.row_y(above) + grid.cell_h / 2 : y1 - grid.row_h * 0.3f;
  if (link.from == link.to) {
    // its own former value: down the column from where it was written
    return link.lights && ours && draw_way_down(pen, t, run, grid, link, r, y1);
  }
  if (above < 0) return false;
  if (link.lights && ours) draw_way_down(pen, t, run, grid, link, above, y0);
  const float side = link.from < link.to ? -0.3f : 0.3f;
  const float half = std::min(t.px(18), grid.pitch * 0.4f);
  const Point end{grid.x_of(link.to) + side * half, y1};
  pen.line({grid.x_of(link.from), y0}, end, link.lights ? t.read : mix(t.ink3, t.panel, 0.5f),
           t.px(link.lights ? 1.5f : 1));
  return link.lights;
}

}  // namespace

DrawnMarks draw_links(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid, int r) {
  const Step& s = run.step(r);
  const ArrayRange part = run.part_of(r);
  const int above = row_above(run, grid, r);
  const size_t moves = s.wrote.size() + s.held().size();
  const size_t every = moves > 256 ? moves : moves > 64 ? 8 : 1;
  std::vector<size_t> drawn;
  for (size_t k = 0; k < s.wrote.size(); ++k)
    if (k % every == 0 || run.lit(r, s.wrote[k].node)) drawn.push_back(k);
  DrawnMarks marks;
  // quiet lines first
  for (const bool bright : {false, true})
    for (const size_t k : drawn) {
      const CellRef written = run.place(s.wrote[k].node);
      if (written.array != part.array) continue;
      const int to = written.index - part.first;
      const bool lights = run.lit(r, s.wrote[k].node);
      if (lights != bright || !grid.visible(to)) continue;
      for (size_t j = k ? s.wrote[k - 1].end : 0; j < s.wrote[k].end; ++j) {
        const CellRef p = run.place(s.loads[j]);
        if (p.array != part.array) continue;
        const int from = run.column(r, p, part);
        if (grid.visible(from))
          marks.lit |= draw_link(pen, t, run, grid, r, above, {s.loads[j], from, to, lights});
      }
    }
  return marks;
}

}  // namespace bscope
