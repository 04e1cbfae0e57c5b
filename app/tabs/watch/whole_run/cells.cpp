#include <algorithm>
#include <cmath>
#include <map>

#include "app/draw/layout.hpp"
#include "app/run/titles.hpp"
#include "app/run/values.hpp"
#include "app/session/prediction.hpp"
#include "app/tabs/watch/array/columns.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/whole_run/content.hpp"
#include "app/tabs/watch/whole_run/grid.hpp"
#include "app/tabs/watch/whole_run/parts.hpp"
#include "app/tabs/watch/whole_run/rows.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/stuck_threads.hpp"

namespace bscope {
namespace {

/// How the cells of a row are drawn: by their values, or where columns are narrow by their size.
struct RowCells {
  const Step& step;
  ArrayRange part;
  float w = 0;         ///< of a box with a value
  StatePtr state;      ///< after the step; null: it has not happened
  bool text = false;   ///< wide enough for values
  double largest = 0;  ///< of narrow cells: the largest value
  CellStyle style;     ///< one size for the row, in which all its values fit
};

/// Of the cells in view; 0: none is known.
double largest_in_view(const ArrayState& state, const ArrayRange& part, const Columns& columns) {
  double largest = 0;
  for (int k = 0; k < columns.visible; ++k) {
    const int at = part.first + columns.first + k;
    if (at < state.size() && state.is_known(at)) largest = std::max(largest, std::fabs(state.value(at)));
  }
  return largest;
}

RowCells row_cells(const Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid,
                   int r) {
  const Step& s = run.step(r);
  const ArrayRange part = run.part_of(r);
  const ElementType kind = run.model.array(run.row(r).launch, part.array).kind;
  const float widest = kind == ElementType::affine || kind == ElementType::counted ? 2 : 1;  // 120y+139
  const bool roomy = grid.pitch / t.scale >= 44;
  const float room = grid.pitch - (roomy ? t.px(6) : t.px(3)), inset = roomy ? t.px(3.5f) : t.px(3.5f, 2);
  float w = std::min(room, t.px(38, 52) * widest);
  const StatePtr state = run.values(r) ? run.model.after(s, part) : nullptr;
  // narrow cells show how large their values are by lightness
  const bool text = !is_narrow(t, grid.pitch);
  const double largest = state && !text ? largest_in_view(*state, part, grid.columns) : 0;
  const auto written_values = [&](bool briefly) {
    std::vector<std::string> out;
    for (int k = 0; state && text && k < grid.columns.visible; ++k) {
      const int cell = grid.columns.first + k, at = part.first + cell;
      if (cell < part.size && s.writes_of({part.array, at}) && state->is_known(at))
        out.push_back(briefly ? brief(*state, at) : value_text(*state, at));
    }
    return out;
  };
  // boxes are as wide as their values need, where columns have the room
  const float most = largest_value(t, grid.cell_h);
  for (const std::string& value : written_values(false))
    w = std::clamp(pen.width(value, most, Font::mono_bold) + inset, w, room);
  return {s, part, w, state, text, largest, fit(pen, t, written_values, w - inset, most)};
}

/// A cell that is asked for: the guess, never the answer.
void draw_asked_cell(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid, int r,
                     const RowCells& row, int cell, int number) {
  const CellRef p{row.part.array, row.part.first + cell};
  const Box box{grid.x_of(cell) - row.w / 2, grid.row_y(r) - grid.cell_h / 2, row.w, grid.cell_h};
  draw_guess(pen, t, *run.prediction, number, box, row.text ? largest_value(t, grid.cell_h) : 0);
  pen.hit({HitRegion::cell, box, p.array, p.index, tr("What will {} hold? Type a value.", run.name(p)),
           "run:guess:" + std::to_string(p.index)});
}

DrawnMarks draw_written_cell(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid,
                             int r, const RowCells& of, int cell, bool blue) {
  const int at = of.part.first + cell;
  const CellRef p{of.part.array, at};
  const StatePtr& state = of.state;
  const bool now = run.present(r) && run.landed;
  // no answers in the future: small empty boxes
  const float box_w = state ? of.w : std::min(of.w, t.px(t.projector() ? 26 : 20));
  const float box_h = state ? grid.cell_h : std::min(grid.cell_h, t.px(t.projector() ? 18 : 11));
  const Box box{grid.x_of(cell) - box_w / 2, grid.row_y(r) - box_h / 2, box_w, box_h};
  const Colour fill = now              ? t.changed
                      : state          ? of.text ? t.cell : shade(t, state->value(at), of.largest)
                               : run.present(r) ? t.selected
                                       : t.panel;
  const Colour edge = now     ? t.dark() ? t.changed : t.ink
                      : blue  ? t.read
                      : state ? t.line
                              : mix(t.ink3, t.panel, 0.7f);
  pen.rect(box, fill, edge, t.px(blue && !now ? 1.6f : 1), t.px(3));
  DrawnMarks marks{.lit = blue && !run.present(r)};
  if (!state || !state->is_known(at)) return marks;
  const std::string value = of.style.brief ? brief(*state, at) : value_text(*state, at);
  marks.dots = of.text && !of.style.has_room(pen, value);
  if (of.text)
    pen.text(box.centre(), of.style.words(pen, value), of.style.size,
             now    ? t.on(t.changed)
             : blue ? t.ink
                    : t.ink2,
             now || blue ? Font::mono_bold : Font::mono, Align::centre);
  const WholeRunRow& row = run.row(r);
  pen.hit({run.of_this_launch(r) ? HitRegion::cell : HitRegion::step, box,
           run.of_this_launch(r) ? p.array : of.step.flow_index, at,
           tr("{} = {} after step {}.", run.model.name(row.launch, p), value_text(*state, at),
              step_number(row.index)),
           "run:" + std::to_string(r) + ":" + std::to_string(at)});
  return marks;
}

/// A step that only reads: a point at each cell it reads, blue where that went into the selected one.
DrawnMarks draw_reads(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid, int r,
                      const ArrayRange& part) {
  DrawnMarks marks;
  for (int load : run.step(r).held())
    if (const CellRef p = run.place(load); p.array == part.array && grid.visible(run.column(r, p, part))) {
      const float d = t.px(t.projector() ? 7 : 5);
      marks.lit |= run.lit(r, load);
      pen.rect({grid.x_of(run.column(r, p, part)) - d / 2, grid.row_y(r) - d / 2, d, d},
               run.lit(r, load)                ? t.read
               : run.past(r) || run.present(r) ? t.ink2
                                               : t.ink3,
               0, 1, d / 2);
    }
  return marks;
}

}  // namespace

DrawnMarks draw_row_cells(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid,
                          int r) {
  DrawnMarks marks;
  if (run.part_of(r).array < 0) return marks;
  const RowCells of = row_cells(pen, t, run, grid, r);
  for (int k = 0; k < grid.columns.visible; ++k) {
    const int cell = grid.columns.first + k;
    const CellRef p{of.part.array, of.part.first + cell};
    const auto* written = cell < of.part.size ? of.step.writes_of(p) : nullptr;
    if (!written) continue;
    const bool asked = run.present(r) && run.prediction && run.prediction->hides();
    if (const int number = asked ? run.prediction->box_of(p) : -1; number >= 0)
      draw_asked_cell(pen, t, run, grid, r, of, cell, number);
    else
      marks |= draw_written_cell(pen, t, run, grid, r, of, cell, run.lit(r, written->node));
  }
  return marks;
}

DrawnMarks draw_row_strip(Pen& pen, const Theme& t, const WholeRunContent& run, const WholeRunGrid& grid,
                          int r) {
  DrawnMarks drawn;
  const Step& s = run.step(r);
  const ArrayRange part = run.part_of(r);
  if (part.array < 0) return drawn;
  const float width = grid.pitch * float(grid.columns.visible), h = std::min(grid.row_h * 0.72f, t.px(22));
  const Box box{grid.columns.left, grid.row_y(r) - h / 2, width, h};
  const auto columns = size_t(std::clamp(int(width / std::max(1.0f, t.scale)), 1, grid.columns.visible));
  const int first = part.first + grid.columns.first;
  std::vector<Colour> colours(columns, t.cell);
  if (run.values(r)) {
    const int cells = std::min(grid.columns.visible, std::max(1, part.size - grid.columns.first));
    const float wide = float(columns) * float(cells) / float(grid.columns.visible);
    std::ranges::copy(grey_cells(t, *run.model.after(s, part), first, cells, wide).colours, colours.begin());
  }
  // the present's changes fill the row, the past's underline it, the future's are structure only
  const bool now = run.present(r) && run.landed, under = run.values(r) && !now;
  const Colour mark = now ? t.changed : under ? t.ink2 : mix(t.ink3, t.panel, 0.55f);
  CellStrip marks{grid.columns.visible, std::vector<Colour>(columns, under ? t.panel : 0)};
  marks.mark(s.written(), {part.array, first}, mark);
  for (const std::vector<int>* nodes : {run.related.up, run.related.down})
    for (size_t k = 0; nodes && k < nodes->size(); ++k)
      if (const CellRef p = run.place((*nodes)[k]);
          p.array == part.array && p.index >= first && p.index < first + grid.columns.visible)
        if (const auto* w = s.writes_of(p); w && w->node == (*nodes)[k] && run.lit(r, w->node))
          marks.mark(p.index - first, t.read), drawn.lit = true;
  for (size_t k = 0; k < columns && !under; ++k)
    if (marks.colours[k]) colours[k] = marks.colours[k];
  pen.strip(box, std::move(colours));
  if (under) {
    const float mark_h = std::max(t.px(2), h * 0.2f);
    pen.strip({box.x, box.bottom() - mark_h, box.w, mark_h}, std::move(marks.colours));
  }
  pen.rect(box, 0, t.line, t.px(1));
  const bool here = run.of_this_launch(r) && !run.row(r).by_block;
  pen.hit({here ? HitRegion::interval : HitRegion::step, box, here ? run.row(r).index : s.flow_index, 0,
           tr_count(s.written().size(), "{} cell written in this step.", "{} cells written in this step."),
           "run:strip:" + std::to_string(r)});
  return drawn;
}

bool writes_out_of_view(const WholeRunContent& run, const WholeRunGrid& grid, int r) {
  const ArrayRange part = run.part_of(r);
  if (part.array < 0) return !run.step(r).written().empty();
  const int in_view = std::max(0, std::min(grid.columns.visible, part.size - grid.columns.first));
  return !run.step(r).written().empty() &&
         run.step(r).written_in(part.array, part.first + grid.columns.first, in_view).empty();
}

DrawnMarks draw_writes_elsewhere(Pen& pen, const Theme& t, const WholeRunContent& run,
                                 const WholeRunGrid& grid, int r, bool boxes) {
  const Step& s = run.step(r);
  const ArrayRange part = run.part_of(r);
  if (!s.written().empty() && !writes_out_of_view(run, grid, r)) return {};
  std::map<int, int> counts;
  for (const auto& [key, w] : s.written()) ++counts[int(key >> 32)];
  if (counts.empty() && s.working) return boxes ? draw_reads(pen, t, run, grid, r, part) : DrawnMarks{};
  std::string each;
  int cells = 0;
  for (const auto& [array, n] : counts) {
    const std::string& array_name = run.model.array(run.row(r).launch, array).name;
    const bool others = array == part.array;  // that are out of view
    each +=
        (each.empty() ? "" : tr("; ")) + (n == 1   ? others ? tr("writes {} other cell of {}", n, array_name)
                                                            : tr("writes {} cell of {}", n, array_name)
                                            : others ? tr("writes {} other cells of {}", grouped(n), array_name)
                                                   : tr("writes {} cells of {}", grouped(n), array_name));
    cells += n;
  }
  if (counts.empty())
    each = stuck_lines(run.model.trace(), run.model.flow(), *s.interval).empty()
               ? tr("no memory touched")
               : tr("threads wait for ever");
  const float size = t.label(), x = grid.columns.left + t.px(6);
  const std::string words = spelled(pen,
                                    {each, tr("writes {} cells of {} arrays", grouped(cells), counts.size()),
                                     tr("{} cells", grouped(cells))},
                                    grid.width - margin(t) - x, size, Font::text, true);
  const Colour back = run.present(r) ? t.selected : t.panel;
  pen.rect({x - t.px(4), grid.row_y(r) - size * 0.6f, pen.width(words, size) + t.px(8), size * 1.2f}, back);
  pen.text({x, grid.row_y(r)}, words, size, run.present(r) ? t.ink2 : t.ink3);
  return {};
}

}  // namespace bscope
