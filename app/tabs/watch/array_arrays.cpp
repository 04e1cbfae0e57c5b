// Every array that the block touches, small, one below the other: what this step reads and writes of each.
#include <algorithm>

#include "app/draw/layout.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// What the step does with an array, cell by cell of the part.
struct Use {
  std::vector<uint8_t> read, written;
  int reads = 0, writes = 0;  ///< cells
};
Use use_of(const Scene& v, const ArrayRange& p) {
  Use out;
  out.read.resize(size_t(p.size));
  out.written.resize(size_t(p.size));
  const auto& nodes = v.model.flow().nodes;
  const auto mark = [&](const std::vector<int>& ids) {
    for (const int id : ids) {
      const Node& n = nodes[size_t(id)];
      const int cell = n.place.index - p.first;
      if (n.place.array != p.array || cell < 0 || cell >= p.size) continue;
      if (reads(n.op) && !out.read[size_t(cell)]) out.read[size_t(cell)] = 1, ++out.reads;
      if (writes(n.op) && !out.written[size_t(cell)]) out.written[size_t(cell)] = 1, ++out.writes;
    }
  };
  mark(v.sub ? v.sub->nodes : v.step.interval->nodes);
  return out;
}

void draw_cells(Scene& v, const ArrayRange& p, const Content& c, const Use& use, const Box& box) {
  const float pitch = box.w / float(std::max(8, p.size)), gap = v.px(pitch >= v.px(44) ? 6 : 2);
  std::vector<int> cells(size_t(p.size));
  for (int k = 0; k < p.size; ++k) cells[size_t(k)] = k;
  const float room = pitch - gap - v.px(4);
  const CellStyle style = fit(v, c, p, cells, room, std::min(v.value_size(), box.h * 0.8f));
  for (int k = 0; k < p.size; ++k) {
    const int at = p.first + k;
    if (at >= c.state->size()) break;
    const bool changed = v.landed && use.written[size_t(k)], read = use.read[size_t(k)];
    const Box cell{box.x + pitch * float(k) + gap / 2, box.y, pitch - gap, box.h};
    const Colour fill = changed ? v.theme.changed : cell_fill(v, c, at);
    const Colour edge = read ? v.theme.read : changed && !v.theme.dark() ? v.theme.ink : v.theme.line;
    v.pen.rect(cell, fill, edge, v.px(read ? 2 : 1), v.px(4));
    draw_value(v, c, at, style, cell.centre(),
               changed ? v.theme.on(fill)
               : read  ? v.theme.ink
                       : v.theme.ink2,
               changed || read);
    v.cell_hit(cell, {p.array, at}, *c.state, "small:");
  }
}

void draw_strip(Scene& v, const ArrayRange& p, const ArrayState& s, const Use& use, const Box& box) {
  CellStrip strip = grey_cells(v.theme, s, p.first, p.size, box.w);
  // what is written wins over what is read
  for (int k = 0; k < p.size; ++k)
    if (use.read[size_t(k)]) strip.mark(k, mix(v.theme.read, v.theme.cell, 0.75f));
  for (int k = 0; v.landed && k < p.size; ++k)
    if (use.written[size_t(k)]) strip.mark(k, v.theme.changed);
  v.pen.strip(box, std::move(strip.colours));
  v.pen.rect(box, 0, v.theme.line, v.px(1));
}

}  // namespace

void draw_arrays(Scene& v, float bottom) {
  v.y += v.px(v.theme.projector() ? 0 : 5);
  std::vector<ArrayRange> parts;
  for (const auto& [id, part] : v.block.parts) {
    if (part.size <= 0) continue;
    const ArrayInfo& info = v.model.array(v.block.launch, id);
    if (info.rows == 1) parts.push_back(part);
    for (int k = 0; info.rows > 1 && k < info.rows; ++k)
      parts.push_back({id, info.row_size() * k, info.row_size()});
  }
  const float size = v.label_size(), title_h = size * 1.45f;
  const float left = margin(v.theme), right = v.picture.width - margin(v.theme);
  const float caption_y = bottom - size * 0.6f, room = caption_y - size - v.y;
  const int all = int(parts.size()),
            fit_below = std::max(1, int(room / (title_h + v.px(v.theme.projector() ? 34 : 20))));
  // more than there is room for one below the other stand in columns; more still: those that this step
  // touches
  const int columns = std::clamp((all + fit_below - 1) / fit_below, 1, v.theme.projector() ? 2 : 3);
  if (all > fit_below * columns)
    std::stable_partition(parts.begin(), parts.end(), [&](const ArrayRange& p) {
      const Use use = use_of(v, p);
      return use.reads + use.writes > 0;
    });
  const int shown = std::min(fit_below * columns, all), rows = (shown + columns - 1) / columns;
  const float pitch = std::min(room / float(std::max(1, rows)), title_h + v.px(64));
  const float gap = v.px(24), wide = (right - left - gap * float(columns - 1)) / float(columns);
  for (int k = 0; k < shown; ++k) {
    const ArrayRange& p = parts[size_t(k)];
    const Use use = use_of(v, p);
    const float y = v.y + pitch * float(k % rows);
    const float begin = left + (wide + gap) * float(k / rows);
    const bool main = p.array == v.to.array;
    std::vector<std::string> does;
    if (use.reads) does.push_back(tr_count(use.reads, "{} cell read", "{} cells read"));
    if (use.writes) does.push_back(tr_count(use.writes, "{} cell written", "{} cells written"));
    HitRegion hit = array_hit(v, p);
    // of several rows the first has the array's name
    if (v.model.array(v.block.launch, p.array).rows > 1 && p.first > 0) hit.name = "array:" + v.part_name(p);
    const LayoutNode title =
        row(v.px(10),
            {line({v.part_name(p)},
                  {size, main ? v.theme.ink : v.theme.ink2, main ? Font::mono_bold : Font::mono}),
             line({p.array >= first_shared ? tr("shared") : tr("global")}, {size, v.theme.ink3}).gives(1),
             space(0).grows(), line({joined(does, tr(", "))}, {size, v.theme.ink2}).gives(2)});
    draw({v.pen, v.theme}, pressed(title, std::move(hit)), {begin, y, wide, title_h});
    const StatePtr state = v.sub      ? v.model.after(*v.sub, p)
                           : v.landed ? v.model.after(v.step, p)
                                      : v.model.before(v.step, p);
    const auto words = !v.state.words || v.sub ? nullptr
                       : v.landed              ? v.model.words_after(v.step, p)
                                               : v.model.words_before(v.step, p);
    const float h = std::min(pitch - title_h - v.px(8), v.px(44));
    const Box box{begin, y + title_h, wide, h};
    if (p.size <= wrap_at && h * 0.8f >= v.index_size() &&
        zoom_level(box.w / float(std::max(8, p.size)) / v.theme.scale) <= Zoom::brief)
      draw_cells(v, p, {state.get(), words.get()}, use, box);
    else
      draw_strip(v, p, *state, use, box);
  }
  std::vector<std::string> what{tr("yellow: written in this step, blue: read")};
  if (all > shown) what.push_back(tr_count(all - shown, "{} more array", "{} more arrays"));
  v.pen.text({left, caption_y}, v.pen.fitted(joined(what, tr("; ")), right - left, size), size, v.theme.ink2);
}

}  // namespace bscope
