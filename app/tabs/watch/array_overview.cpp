#include <algorithm>
#include <set>

#include "app/tabs/watch/array_parts.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

constexpr int lens_cells = 10;

/// How the cells in view stand in lines.
struct CellLines {
  int wide = wrap_at;  ///< cells of one: a tile's own row; else as many as there are banks
  bool tile = false;
  int before = 0;  ///< cells of the first line that are not in view
  int count = 0;
  int row = 0;  ///< of a tile: the first line's

  explicit CellLines(const Scene& v) {
    const ArrayInfo& info = v.model.array(v.block.launch, v.to.array);
    tile = stands_as_tile(info, v.to.size);
    if (tile) {
      wide = info.row_size();
      before = (v.to.first + v.columns.first) % wide;
      row = (v.to.first + v.columns.first) / wide;
    }
    count = (before + v.columns.visible + wide - 1) / wide;
  }
};

void line_labels(Scene& v, const CellLines& lines, float top, float h, float cell_w) {
  int step = 4;  // lines from one number to the next
  while (float(step) * h < v.index_size() * 1.3f) step *= 2;
  for (int k = step - lines.row % step; lines.tile && k < lines.count; k += step)
    v.pen.text({v.columns.left - v.px(6), top + (float(k) + 0.5f) * h}, std::to_string(lines.row + k),
               v.index_size(), v.theme.ink3, Font::mono, Align::right);
  if (v.theme.projector()) return;
  const float y = top + h * float(lines.count) + (v.index_size() * 1.2f + v.px(4)) / 2;
  for (int k = 0; k < lines.wide; k += 4)
    v.pen.text({v.columns.left + (float(k) + 0.5f) * cell_w, y}, std::to_string(k), v.index_size(),
               v.theme.ink3, Font::mono, Align::centre);
  const bool column = lines.tile || v.to.array >= first_shared;
  v.label_at(y, column ? tr("column") : tr("mod 32"), Font::text, v.theme.ink3);
}

Box wrapped_box(const Scene& v, const CellLines& lines, int k, float top, float w, float h) {
  const int at = k + lines.before, row = at / lines.wide, column = at % lines.wide;
  return {v.columns.left + float(column) * w, top + float(row) * h, w, h};
}

void wrapped_cells(Scene& v, const CellLines& lines, const ArrayState& s, float top, float cell_w, float h,
                   double largest, bool values) {
  const bool gaps = v.level <= Zoom::colour;
  const float gap = gaps ? v.px(2) : 0;
  std::vector<int> cells;
  CellStyle style;
  const Content shown = v.shown();
  if (values) {
    for (int k = 0; k < v.columns.visible; ++k) cells.push_back(v.columns.first + k);
    style = fit(v, shown, v.to, cells, cell_w - gap - v.px(4), std::min(v.value_size(), h * 0.8f));
    values = style.size <= h / 1.1f;
  }
  std::vector<Colour> colours;
  const int places = lines.count * lines.wide;
  for (int k = -lines.before; k < places - lines.before; ++k) {
    const int cell = v.columns.first + k, at = v.to.first + cell;
    const bool exists = k >= 0 && k < v.columns.visible && cell < v.to.size && at < s.size();
    const bool changed = exists && v.landed && v.writes_of({v.to.array, at});
    const bool known = exists && s.is_known(at), lit = exists && Scene::lit(v.lit_after, cell);
    const Colour fill = !exists        ? 0
                        : changed      ? v.theme.changed
                        : lit && !gaps ? mix(v.theme.read, v.theme.cell, 0.6f)
                        : values       ? cell_fill(v, shown, at)
                                       : shade(v.theme, known ? s.value(at) : 0, largest);
    const Box whole = wrapped_box(v, lines, k, top, cell_w, h);
    const Box box{whole.x + gap / 2, whole.y + gap / 2, cell_w - gap, h - gap};
    if (gaps) {
      if (!exists) continue;
      v.pen.rect(box, fill, lit ? v.theme.read : values ? v.theme.line : 0, v.px(lit ? 1.6f : 1), v.px(2));
      if (values)
        draw_value(v, shown, at, style, box.centre(), changed ? v.theme.on(v.theme.changed) : v.theme.ink2,
                   changed);
    } else {
      colours.push_back(fill);
    }
    if (exists && places <= 2048) v.cell_hit(box, {v.to.array, at}, s, "all:");
  }
  const Box all{v.columns.left, top, cell_w * float(lines.wide), h * float(lines.count)};
  if (!gaps) v.pen.strip(all, std::move(colours), lines.count);
}

void strip_cells(Scene& v, const ArrayState& s, Box box, double largest) {
  // columns may be those of a longer array
  const int cells = std::min(v.columns.visible, v.to.size - v.columns.first);
  if (cells <= 0) return;
  box.w *= float(cells) / float(v.columns.visible);
  const int first = v.to.first + v.columns.first;
  CellStrip strip = grey_cells(v.theme, s, first, cells, box.w, largest);
  const int buckets = int(strip.colours.size());
  std::vector<int> changed(size_t(buckets), -1);
  if (v.landed)
    strip.mark(v.written(), {v.to.array, first}, v.theme.changed,
               [&](size_t column, int index) { changed[column] = index; });
  v.pen.strip(box, std::move(strip.colours));
  v.pen.rect(box, 0, v.theme.line, v.px(1));
  // regions for the mouse: the changed cell, or the middle one
  constexpr int regions = 128;
  const int count = std::min(regions, buckets);
  for (int r = 0; r < count; ++r) {
    const int b0 = r * buckets / count, b1 = (r + 1) * buckets / count;
    int at = first + int((int64_t(b0) + b1) * cells / buckets / 2);
    for (int b = b0; b < b1; ++b)
      if (changed[size_t(b)] >= 0) at = changed[size_t(b)];
    const float w = box.w / float(buckets);
    v.cell_hit({box.x + float(b0) * w, box.y, float(b1 - b0) * w, box.h}, {v.to.array, at}, s, "all:");
  }
}

// Ten cells: those of the followed thread's moves first, then their neighbours.
std::vector<int> lens(const Scene& v) {
  std::set<int> cells;
  if (v.hides() && v.prediction->array == v.to.array) {  // those that are asked for and no others
    for (int cell : v.prediction->cells) cells.insert(cell - v.to.first);
    return {cells.begin(), cells.end()};
  }
  if (v.prediction && v.prediction->array == v.to.array)
    for (int cell : v.prediction->cells) cells.insert(cell - v.to.first);
  const int size = std::max(v.to.size, v.from.size);
  const auto add = [&](int cell) {
    if (cell >= 0 && cell < size && int(cells.size()) < lens_cells) cells.insert(cell);
  };
  if (v.selected && v.selected->array == v.to.array) add(v.selected->index - v.to.first);
  for (const Drawn& d : v.chosen->moves) {
    if (!d.focus) continue;
    add(d.to);
    for (CellRef p : d.move->arrow.from)
      if (p.array == v.from.array) add(p.index - v.from.first);
  }
  if (cells.empty()) add(v.columns.first);
  const std::set<int> wanted = cells;
  for (int reach = 1; int(cells.size()) < std::min(lens_cells, size) && reach < size; ++reach)
    for (int cell : wanted) {
      add(cell - reach);
      add(cell + reach);
    }
  return {cells.begin(), cells.end()};
}

}  // namespace

void draw_overview(Scene& v, float rest) {
  const float top = v.y, left = v.columns.left, right = v.columns.right(), width = right - left;
  const ArrayState& s = *v.shown().state;
  const CellLines lines(v);
  const float index_h = v.index_size() * 1.2f + v.px(4);
  // what the lens needs: both rows, the moves between, indices and a caption
  const float lens_h = v.px(v.theme.projector() ? 32 + 44 + 24 + 48 + 14 : 28 + 46 + 20 + 52 + 14) + index_h +
                       v.label_size() * 1.3f;
  const float most = std::max(v.px(20), rest - lens_h - (v.theme.projector() ? 0 : index_h) - v.px(4));
  const float pitch_h = std::min(v.px(lines.count <= 2 ? 24 : 18), most / float(lines.count));
  const float cell_w = width / float(lines.wide);
  const bool values = lines.count <= 4 && pitch_h >= v.index_size() * 1.25f;
  // rows of 32 are never high enough for values and arrows
  v.level = v.columns.visible > wrap_at ? std::max(Zoom::colour, zoom_level(pitch_h / v.theme.scale, v.held))
                                        : Zoom::strip;
  const bool wrapped = v.level < Zoom::strip;
  float y = top;
  const double largest = double(largest_in_parts(s, v.to.first + v.columns.first, v.columns.visible, 1)[0]);
  float grid_h = 0;
  Box focus_box{left, y, cell_w, pitch_h};
  const int focus_cell = v.selected && v.in_part(*v.selected, v.to) ? v.selected->index - v.to.first : -1;
  const auto label = [&](float at) {
    if (v.block.turns.contains(v.to.array))
      v.label_at(at, v.row_name(v.to), Font::mono_bold, v.theme.ink);
    else
      v.label_at(at, std::string(v.landed ? tr("after") : tr("before")), Font::text_bold, v.theme.ink);
  };
  if (wrapped) {
    grid_h = pitch_h * float(lines.count);
    label(y + std::min(grid_h, v.label_size() * 1.4f) / 2);
    wrapped_cells(v, lines, s, y, cell_w, pitch_h, largest, values);
    const int k = focus_cell - v.columns.first;
    if (k >= 0 && k < v.columns.visible) focus_box = wrapped_box(v, lines, k, y, cell_w, pitch_h);
    line_labels(v, lines, y, pitch_h, cell_w);
    y += grid_h;
    if (!v.theme.projector()) y += index_h;
  } else {
    grid_h = std::clamp(rest * 0.14f, v.px(20), v.px(30));
    label(y + grid_h / 2);
    strip_cells(v, s, {left, y, width, grid_h}, largest);
    const int k = focus_cell - v.columns.first;
    if (k >= 0 && k < v.columns.visible) {
      const float w = std::max(v.px(6), width / float(v.columns.visible));
      focus_box = {
          std::clamp(left + (float(k) + 0.5f) / float(v.columns.visible) * width - w / 2, left, right - w), y,
          w, grid_h};
    }
    y += grid_h;
    // below a lesson's strip the lens needs the room of these words
    if (!v.theme.projector() || top + rest - y - index_h - v.px(14) >= lens_h) {
      const std::string ends[2] = {std::to_string(v.to.first + v.columns.first),
                                   std::to_string(v.to.first + v.columns.first + v.columns.visible - 1)};
      v.pen.text({left, y + index_h / 2}, ends[0], v.index_size(), v.theme.ink3, Font::mono);
      v.pen.text({right, y + index_h / 2}, ends[1], v.index_size(), v.theme.ink3, Font::mono, Align::right);
      const float room = right - left - v.pen.width(ends[0], v.index_size(), Font::mono) -
                         v.pen.width(ends[1], v.index_size(), Font::mono) - v.px(16);
      v.pen.text(
          {(left + right) / 2, y + index_h / 2},
          v.pen.fitted(tr("each column: the largest of its cells; changed ones win"), room, v.index_size()),
          v.index_size(), v.theme.ink3, Font::text, Align::centre);
      y += index_h;
    }
  }
  const std::vector<int> cells = lens(v);
  if (cells.empty()) return;
  // the lens hangs below the place it magnifies
  const float lens_top = y + v.px(14),
              pitch = std::min(width / float(cells.size()), v.px(v.theme.projector() ? 90 : 76));
  const float lens_w = pitch * float(cells.size());
  if (focus_cell >= 0) {
    v.pen.rect(focus_box, 0, v.theme.ink, v.px(2), v.px(2));
    v.pen.line({focus_box.x, y}, {left, lens_top - v.px(3)}, mix(v.theme.ink3, v.theme.panel, 0.6f), v.px(1));
    v.pen.line({focus_box.right(), y}, {left + lens_w, lens_top - v.px(3)},
               mix(v.theme.ink3, v.theme.panel, 0.6f), v.px(1));
  }
  draw_rows(v, cells, left, pitch, lens_top, top + rest, false);
}
}  // namespace bscope
