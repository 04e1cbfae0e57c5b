#include "app/tabs/watch/array/overview_cells.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/draw/fitting.hpp"
#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/cells.hpp"
#include "app/tabs/watch/array/labels.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// Of the cells in view; 0: none is known.
double largest_in_view(const StepView& v, const Columns& c, const ArrayState& s) {
  return double(largest_in_parts(s, v.to.first + c.first, c.visible, 1)[0]);
}

/// A cell in a line, or a place without one.
struct LineCell {
  int at = 0;           ///< in the array
  bool exists = false;  ///< the part has it, and it is in view
  bool changed = false, lit = false;
};
LineCell line_cell(const StepView& v, const Columns& c, const ArrayState& s,
                   const std::vector<bool>& relatives, int k) {
  const int cell = c.first + k, at = v.to.first + cell;
  const bool exists = k >= 0 && k < c.visible && cell < v.to.size && at < s.size();
  return {at, exists, exists && v.landed && v.writes_of({v.to.array, at}), exists && is_lit(relatives, cell)};
}

/// Regions for the mouse on a strip: the changed cell, or the middle one. `changed`: of each of its columns
/// the last changed cell, -1: none.
void hit_strip(Pen& pen, const StepView& v, const ArrayState& s, const Box& box, int first, int cells,
               const std::vector<int>& changed) {
  constexpr int regions = 128;
  const int columns = int(changed.size()), count = std::min(regions, columns);
  for (int r = 0; r < count; ++r) {
    const int b0 = r * columns / count, b1 = (r + 1) * columns / count;
    int at = first + int((int64_t(b0) + b1) * cells / columns / 2);
    for (int b = b0; b < b1; ++b)
      if (changed[size_t(b)] >= 0) at = changed[size_t(b)];
    const float w = box.w / float(columns);
    cell_hit(pen, v, s, {box.x + float(b0) * w, box.y, float(b1 - b0) * w, box.h}, {v.to.array, at}, "all:");
  }
}

}  // namespace

Box CellLines::box_of(int k) const {
  const int at = k + before, line = at / wide, column = at % wide;
  return {left + float(column) * cell_w, top + float(line) * line_h, cell_w, line_h};
}

CellLines cell_lines(const StepView& v, const Columns& c) {
  CellLines out;
  const ArrayInfo& info = v.array(v.to.array);
  out.tile = stands_as_tile(info, v.to.size);
  if (out.tile) {
    out.wide = info.row_size();
    out.before = (v.to.first + c.first) % out.wide;
    out.row = (v.to.first + c.first) / out.wide;
  }
  // columns may be those of a longer array
  const int cells = std::clamp(v.to.size - c.first, 1, c.visible);
  out.count = (out.before + cells + out.wide - 1) / out.wide;
  return out;
}

DrawnCells draw_cells_in_lines(Pen& pen, const Theme& t, const Columns& c, const StepView& v,
                               const CellTexts& shown, const std::vector<bool>& relatives,
                               const CellLines& lines, Zoom level, bool values) {
  const ArrayState& s = *shown.state;
  const bool gaps = level <= Zoom::colour;
  const float gap = gaps ? t.px(2) : 0, cell_w = lines.cell_w, h = lines.line_h;
  const double largest = largest_in_view(v, c, s);
  const size_t inputs = v.model.run().report.input.size();
  CellStyle style;
  if (values) {
    std::vector<int> cells;
    for (int k = 0; k < c.visible; ++k) cells.push_back(c.first + k);
    style = fit(pen, t, shown, v.to, cells, cell_w - gap - t.px(4, 3), std::min(t.value(), h * 0.8f));
    values = style.size <= h / 1.1f;
    // of many lines most would be dots: their greys say more
    const auto fits = [&](int cell) {
      const int at = v.to.first + cell;
      return !shown.known(at) || style.has_room(pen, shown.text(at, style.brief));
    };
    values = values && (lines.count <= 4 || std::ranges::all_of(cells, fits));
  }
  std::vector<Colour> colours;
  std::optional<Colour> grey;  // of the cells that were not changed: two of them need the legend
  DrawnCells out;
  const int places = lines.count * lines.wide;
  for (int k = -lines.before; k < places - lines.before; ++k) {
    const auto [at, exists, changed, lit] = line_cell(v, c, s, relatives, k);
    const Colour fill = !exists        ? 0
                        : changed      ? t.changed
                        : lit && !gaps ? mix(t.read, t.cell, 0.6f)
                        : values       ? cell_fill(t, shown, at, inputs)
                                       : shade(t, s.is_known(at) ? s.value(at) : 0, largest);
    if (exists && !changed && !values && s.is_known(at)) {
      out.shades = out.shades || (grey && *grey != fill);
      grey = fill;
    }
    const Box whole = lines.box_of(k);
    const Box box{whole.x + gap / 2, whole.y + gap / 2, cell_w - gap, h - gap};
    if (gaps) {
      if (!exists) continue;
      pen.rect(box, fill, lit ? t.read : values ? t.line : 0, t.px(lit ? 1.6f : 1), t.px(2));
      if (values) {
        out.dots = out.dots || (shown.known(at) && !style.has_room(pen, shown.text(at, style.brief)));
        draw_value(pen, shown, at, style, box.centre(), changed ? t.on(t.changed) : t.ink2, changed);
      }
    } else {
      colours.push_back(fill);
    }
    if (exists && places <= 2048) cell_hit(pen, v, s, box, {v.to.array, at}, "all:");
  }
  const Box all{lines.left, lines.top, cell_w * float(lines.wide), h * float(lines.count)};
  if (!gaps) pen.strip(all, std::move(colours), lines.count);
  return out;
}

void draw_line_numbers(Pen& pen, const Theme& t, const StepView& v, const CellLines& lines) {
  const float size = t.small(), h = lines.line_h;
  const int step =
      std::max(4, label_stride(h, size * 1.3f, lines.count));  // lines from one number to the next
  for (int k = step - lines.row % step; lines.tile && k < lines.count; k += step)
    pen.text({lines.left - t.px(6), lines.top + (float(k) + 0.5f) * h}, std::to_string(lines.row + k), size,
             t.ink3, Font::mono, Align::right);
  if (t.projector()) return;
  const float y = lines.top + h * float(lines.count) + (size * 1.2f + t.px(4)) / 2;
  for (int k = 0; k < lines.wide; k += 4)
    pen.text({lines.left + (float(k) + 0.5f) * lines.cell_w, y}, std::to_string(k), size, t.ink3, Font::mono,
             Align::centre);
  const bool column = lines.tile || v.to.array >= first_shared;
  draw_label(pen, t, y, column ? tr("column") : tr("mod 32"), Font::text, t.ink3);
}

DrawnCells draw_cells_in_strip(Pen& pen, const Theme& t, const Columns& c, const StepView& v,
                               const ArrayState& s, Box box) {
  // columns may be those of a longer array
  const int cells = std::min(c.visible, v.to.size - c.first);
  if (cells <= 0) return {};
  box.w *= float(cells) / float(c.visible);
  const int first = v.to.first + c.first;
  CellStrip strip = grey_cells(t, s, first, cells, box.w, largest_in_view(v, c, s));
  std::vector<int> changed(strip.colours.size(), -1);
  if (v.landed)
    strip.mark(v.written(), {v.to.array, first}, t.changed,
               [&](size_t column, int index) { changed[column] = index; });
  std::optional<Colour> grey;
  bool shades = false;
  for (size_t k = 0; k < changed.size(); ++k)
    if (changed[k] < 0) {
      shades = shades || (grey && *grey != strip.colours[k]);
      grey = strip.colours[k];
    }
  pen.strip(box, std::move(strip.colours));
  pen.rect(box, 0, t.line, t.px(1));
  hit_strip(pen, v, s, box, first, cells, changed);
  return {.shades = shades};
}

}  // namespace bscope
