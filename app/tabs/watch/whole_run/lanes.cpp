#include <algorithm>

#include "app/run/values.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/whole_run/content.hpp"
#include "app/tabs/watch/whole_run/grid.hpp"
#include "app/tabs/watch/whole_run/parts.hpp"
#include "app/tabs/watch/whole_run/rows.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/exchanges.hpp"

namespace bscope {
namespace {

/// Where the lanes of a row stand, and how much they show.
struct LaneBoxes {
  float left = 0, each = 0;  ///< a lane's column
  float w = 0, h = 0, y = 0;
  float from_y = 0;    ///< where the lines begin
  bool known = false;  ///< the row has happened
  bool boxes = false;  ///< there is room for values
  float x(int rank) const { return left + each * (float(rank) + 0.5f); }
  Box box(int rank) const { return {x(rank) - w / 2, y, w, h}; }
};

LaneBoxes lane_boxes(const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid, int r) {
  LaneBoxes out;
  const int threads = run.model.trace().launches[size_t(run.row(r).launch)].block;
  const float width = grid.pitch * float(grid.columns.visible), y = grid.row_y(r);
  out.left = grid.columns.left;
  // more lanes than cells in view take the panel's width, as far as they need it
  const float room = grid.width - margin(t) - out.left;
  out.each =
      threads > grid.columns.visible ? std::min(grid.pitch, room / float(threads)) : width / float(threads);
  out.known = r < run.rows.present_first || (run.in_present(r) && run.landed);
  out.from_y = y - grid.row_h / 2 + t.px(2);
  out.boxes = out.each / t.scale >= 20;
  out.h = out.boxes ? std::min(grid.cell_h, grid.row_h * (t.projector() ? 0.76f : 0.6f)) : t.px(4);
  out.y = y + grid.row_h / 2 - out.h - t.px(2);
  out.w = out.boxes ? std::min(out.each - t.px(3), t.px(38, 52)) : std::max(t.px(2), out.each * 0.5f);
  return out;
}

/// Whether the row above shows what the lane gives. Else it brings another value of its own.
bool shown_above(const WholeRunContent& run, const WholeRunGrid& grid, int r, const Exchange& e, int lane) {
  const Exchange::ExchangeLane* giver = e.of(lane);
  if (!giver || !giver->gave) return true;
  const WholeRunRow& row = run.row(r);
  bool shown = false;
  if (r > grid.view.first && run.row(r - 1).what == WholeRunRow::lanes && run.row(r - 1).index == row.index &&
      run.row(r - 1).block == row.block)
    for (const Exchange* above : exchanges_of(run.model, run.row(r - 1)))
      if (const Exchange::ExchangeLane* l = above->warp == e.warp ? above->of(lane) : nullptr)
        shown = lane_value(run, *above, *l) == value_text(e.kind, giver->given);
  return shown;
}

void draw_lane_lines(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid, int r,
                     const LaneBoxes& at, Colour quiet) {
  const int threads = run.model.trace().launches[size_t(run.row(r).launch)].block;
  for (const Exchange* e : exchanges_of(run.model, run.row(r)))
    for (const auto& l : e->lanes) {
      const int to = e->warp * warp_size + l.lane;
      if (l.from < 0 || l.from == l.lane) continue;
      const int from = e->warp * warp_size + l.from;
      pen.line({at.x(from), at.from_y}, {at.x(to), at.y},
               at.known ? mix(t.thread, t.panel, threads > 16 ? 0.55f : 0.8f) : quiet,
               t.px(at.each / t.scale >= 8 ? 1.2f : 0.8f));
      // a line begins at a point where the row above does not show what is given
      if (at.known && at.boxes && !shown_above(run, grid, r, *e, l.from)) {
        const float d = t.px(4);
        pen.rect({at.x(from) - d / 2, at.from_y - d / 2, d, d}, t.thread, 0, 1, d / 2);
      }
    }
}

void draw_lane(Pen& pen, const Theme& t, const WholeRunContent& run, int r, const LaneBoxes& at, Colour quiet,
               const CellStyle& style, const Exchange& e, const Exchange::ExchangeLane& l) {
  const int rank = e.warp * warp_size + l.lane;
  const Box box = at.box(rank);
  pen.rect(box,
           at.known && at.boxes ? t.cell
           : at.known           ? t.thread
                                : t.panel,
           at.known ? mix(t.thread, t.panel, 0.7f) : quiet, t.px(1), t.px(at.boxes ? 3 : 1));
  const std::string value = lane_value(run, e, l);
  if (at.known && at.boxes)
    pen.text(box.centre(), style.words(pen, value), style.size, t.ink2, Font::mono, Align::centre);
  if (at.boxes)
    pen.hit({HitRegion::thread, box, rank, 0,
             !at.known          ? tr("Lane {} takes part.", l.lane)
             : l.from < 0       ? tr("Lane {} gets {}, made from all lanes.", l.lane, value)
             : l.from == l.lane ? tr("Lane {} keeps its own value: {}.", l.lane, value)
                                : tr("Lane {} takes from lane {}: {}.", l.lane, l.from, value),
             "run:lane:" + std::to_string(r) + ":" + std::to_string(rank)});
}

}  // namespace

DrawnMarks draw_row_of_lanes(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid,
                             int r) {
  const LaneBoxes at = lane_boxes(t, run, grid, r);
  const Colour quiet = mix(t.ink3, t.panel, 0.6f);
  const std::vector<const Exchange*> exchanges = exchanges_of(run.model, run.row(r));
  draw_lane_lines(pen, t, run, grid, r, at, quiet);
  const auto all_values = [&](bool) {
    std::vector<std::string> out;
    for (const Exchange* e : exchanges)
      for (const auto& l : e->lanes)
        if (at.known && at.boxes) out.push_back(lane_value(run, *e, l));
    return out;
  };
  const CellStyle style = fit(pen, t, all_values, at.w - t.px(3.5f, 2), largest_value(t, at.h));
  for (const Exchange* e : exchanges)
    for (const auto& l : e->lanes) draw_lane(pen, t, run, r, at, quiet, style, *e, l);
  return {.dots = std::ranges::any_of(all_values(false),
                                      [&](const std::string& value) { return !style.has_room(pen, value); })};
}

}  // namespace bscope
