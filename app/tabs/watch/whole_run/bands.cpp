#include <algorithm>

#include "app/draw/layout.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/whole_run/content.hpp"
#include "app/tabs/watch/whole_run/grid.hpp"
#include "app/tabs/watch/whole_run/parts.hpp"
#include "app/tabs/watch/whole_run/rows.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

int label_style(const Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid) {
  const float size = t.px(t.size_label), x = margin(t) + t.px(9), room = grid.columns.left - x - t.px(8);
  int style = 0;
  for (; style < 3; ++style) {
    bool fits = true;
    for (int r = grid.view.first; r < grid.view.end(); ++r)
      if (pen.width(row_label(run, r, style), size, run.present(r) ? Font::text_bold : Font::text) > room)
        fits = false;
    if (fits) break;
  }
  return style;
}

void draw_present_rows(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid) {
  for (int r = grid.view.first; r < grid.view.end(); ++r)
    if (run.in_present(r)) pen.rect({0, grid.row_y(r) - grid.row_h / 2, grid.width, grid.row_h}, t.selected);
}

namespace {

// A launch's name over its rows.
void draw_heading(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid, int r) {
  const WholeRunRow& head = run.row(r);
  const Launch& l = run.model.trace().launches[size_t(head.launch)];
  const LineLook title{.size = t.label(), .colour = t.ink, .font = Font::text_bold, .cut = true};
  const bool between = is_between_launches(l);
  const std::string number = tr("Launch {}", launch_number(run.model.trace(), head.launch));
  draw({pen, t},
       row(t.px(10),
           {line({capitalised(numbered(run.model.trace(), l, number, tr(": ")))}, title),
            line({between      ? ""
                  : l.grid > 1 ? tr("{} blocks of {} threads", l.grid, l.block)
                               : tr_count(l.block, "one block of {} thread", "one block of {} threads")},
                 {t.label(), t.ink3})
                .gives(1),
            rule(t.line).grows()}),
       {margin(t), grid.row_y(r) - grid.row_h / 2, grid.width - 2 * margin(t), grid.row_h});
  const Interval* first = run.model.flow().of_block(head.launch, head.block).data();
  pen.hit({HitRegion::step,
           {0, grid.row_y(r) - grid.row_h / 2, grid.width, grid.row_h},
           first ? int(first - run.model.flow().intervals.data()) : 0,
           0,
           between ? tr("What changed memory between launches. Click to go to it.")
                   : tr("Launch {}: the kernel is started anew, after all blocks of the one before have "
                        "ended. Click to go to its first step.",
                        launch_number(run.model.trace(), head.launch)),
           "run:launch:" + std::to_string(head.launch)});
}

}  // namespace

void draw_band(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid, int r,
               int label_style) {
  const WholeRunRow& row = run.row(r);
  if (row.what == WholeRunRow::head) return draw_heading(pen, t, run, grid, r);
  const Step& s = run.step(r);
  const float y = grid.row_y(r), size = t.px(t.size_label), x = margin(t);
  if (run.in_present(r))
    pen.rect({0, y - grid.row_h / 2, t.px(5), grid.row_h}, t.changed, t.dark() ? 0 : t.ink, t.px(1));
  const float bar_h = std::min(grid.row_h - t.px(6), size * 1.2f);
  const Colour bar = t.dark() ? t.phase(s.interval->phase) : mix(t.ink3, t.phase(s.interval->phase), 0.45f);
  if (row.what == WholeRunRow::step) pen.rect({x, y - bar_h / 2, t.px(4), bar_h}, bar);
  const Font font = run.present(r) ? Font::text_bold : Font::text;
  pen.text({x + t.px(9), y},
           pen.fitted(row_label(run, r, label_style), grid.columns.left - x - t.px(13), size, font), size,
           run.present(r) ? t.ink : t.ink2, font);
  const std::string tip =
      row.what == WholeRunRow::lanes
          ? std::string(
                tr("A shuffle hands a value from lane to lane of a warp, without memory and without a "
                   "barrier. Click to go to its step."))
      : row.by_block
          ? tr("What block {} does. Click to go there.", row.block)
          : tr("Step {}: what happens between two barriers. Click to go there.", step_number(row.index));
  const bool here = run.of_this_launch(r) && !row.by_block;
  pen.hit({here ? HitRegion::interval : HitRegion::step,
           {0, y - grid.row_h / 2, grid.columns.left - t.px(4), grid.row_h},
           here ? row.index : s.flow_index,
           0,
           tip,
           (row.what == WholeRunRow::lanes ? "run:lanes:" : "run:step:") + std::to_string(r)});
}

void draw_run_scroll_bar(Pen& pen, const Theme& t, const WholeRunRows& rows, const WholeRunGrid& grid) {
  const int all = rows.size();
  if (grid.view.count >= all) return;
  const float w = t.px(4), x = grid.width - t.px(8), h = grid.row_h * float(grid.view.count);
  pen.rect({x, grid.top, w, h}, mix(t.line, t.panel, 0.6f), 0, 1, w / 2);
  const float y = grid.top + h * float(grid.view.first) / float(all),
              part = h * float(grid.view.count) / float(all);
  pen.rect({x, y, w, std::max(part, t.px(10))}, t.ink3, 0, 1, w / 2);
  const float at = grid.top + h * (float(rows.present) + 0.5f) / float(all);
  pen.rect({x - t.px(2), at - t.px(1.5f), w + t.px(4), t.px(3)}, t.dark() ? t.changed : t.ink);
  pen.hit({HitRegion::other,
           {x - t.px(6), grid.top, t.px(14), h},
           0,
           0,
           tr("{} of {} rows; turn the wheel to see the others. The mark is the present step.",
              grid.view.count, all),
           "run:scroll"});
}

}  // namespace bscope
