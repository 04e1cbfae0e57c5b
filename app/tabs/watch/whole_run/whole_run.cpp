#include "app/tabs/watch/whole_run/whole_run.hpp"

#include "app/draw/picture.hpp"
#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/columns.hpp"
#include "app/tabs/watch/whole_run/content.hpp"
#include "app/tabs/watch/whole_run/grid.hpp"
#include "app/tabs/watch/whole_run/parts.hpp"
#include "app/tabs/watch/whole_run/rows.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/run_queries.hpp"

namespace bscope {
namespace {

/// All rows in view. What lies behind comes first: bands and links, then cells over them.
DrawnMarks draw_rows_in_view(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid) {
  const int style = label_style(pen, t, run, grid);
  const bool cells = grid.pitch / t.scale >= 8;
  DrawnMarks marks;
  draw_present_rows(pen, t, run, grid);
  if (cells) draw_columns_between(pen, t, run, grid);
  for (int r = grid.view.first; r < grid.view.end(); ++r) {
    draw_band(pen, t, run, grid, r, style);
    if (cells && run.row(r).what == WholeRunRow::step) marks |= draw_links(pen, t, run, grid, r);
  }
  for (int r = grid.view.first; r < grid.view.end(); ++r) {
    if (run.row(r).what == WholeRunRow::lanes) marks |= draw_row_of_lanes(pen, t, run, grid, r);
    if (run.row(r).what != WholeRunRow::step) continue;
    if (cells)
      marks |= draw_row_cells(pen, t, run, grid, r);
    else if (!writes_out_of_view(run, grid, r))
      marks |= draw_row_strip(pen, t, run, grid, r);
    marks |= draw_writes_elsewhere(pen, t, run, grid, r, cells);
  }
  draw_run_scroll_bar(pen, t, run.rows, grid);
  return marks;
}

}  // namespace

Picture whole_run(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                  float height, const WatchState& state, const Prediction* prediction, bool future) {
  const BlockSteps& b = model.block(c);
  if (b.steps.empty() || b.main < 0) return {width, height, {}, {}};
  WholeRunContent run(model, c, state, prediction);
  const Columns at = columns(model, c, t, width);
  run.shades = is_narrow(t, column_pitch(at)) && run.track.present > 0;
  // The header explains what is drawn below it, and its height says what has room there: where it is another
  // one than was expected, all is laid out once more.
  for (const bool last : {false, true}) {
    Picture picture{width, height, {}, {}};
    Pen pen(picture, m);
    const float top = whole_run_header_height(pen, t, run, width), room = room_for_rows(t, height, top);
    const int fit = rows_that_fit(t, room);
    run.rows = whole_run_rows(model, run.block, run.track, run.part.array, fit, future);
    const RowsInView view = rows_in_view(run.rows.size(), fit, run.rows.present, run.scroll);
    const WholeRunGrid grid = whole_run_grid(t, at, view, width, top, room);
    run.marks = draw_rows_in_view(pen, t, run, grid);
    if (!last && whole_run_header_height(pen, t, run, width) != top) continue;
    draw_whole_run_header(pen, t, run, width);
    return picture;
  }
  return {width, height, {}, {}};
}

}  // namespace bscope
