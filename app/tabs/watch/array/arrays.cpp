#include "app/tabs/watch/array/arrays.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/layout.hpp"
#include "app/tabs/watch/array/captions.hpp"
#include "app/tabs/watch/array/cells.hpp"
#include "app/tabs/watch/array/columns.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/array/title.hpp"
#include "app/tabs/watch/array/use.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// The places of so many arrays, one below the other, then in columns.
struct ArrayPlaces {
  int shown = 0;  ///< more have no room
  int rows = 1;
  float left = 0, top = 0, width = 0, apart = 0;  ///< of a column, and from one to the next
  float pitch = 0, title_h = 0;                   ///< of a row, and its title
  Box box(int k) const {
    return {left + apart * float(k / rows), top + pitch * float(k % rows), width, pitch};
  }
};
ArrayPlaces array_places(const Theme& t, float width, float top, float bottom, int all) {
  ArrayPlaces out;
  out.title_h = t.label() * 1.45f;
  out.left = margin(t);
  out.top = top;
  const float room = bottom - top, gap = t.px(24);
  const int fit_below = std::max(1, int(room / (out.title_h + t.px(20, 34))));
  // more than there is room for one below the other stand in columns
  const int columns = std::clamp((all + fit_below - 1) / fit_below, 1, t.projector() ? 2 : 3);
  out.shown = std::min(fit_below * columns, all);
  out.rows = (out.shown + columns - 1) / columns;
  out.pitch = std::min(room / float(std::max(1, out.rows)), out.title_h + t.px(64));
  out.width = (width - margin(t) - out.left - gap * float(columns - 1)) / float(columns);
  out.apart = out.width + gap;
  return out;
}

void draw_cells(Pen& pen, const Theme& t, const StepView& v, const ArrayRange& p, const CellTexts& c,
                const ArrayUse& use, const Box& box) {
  const float pitch = box.w / float(std::max(8, p.size)), gap = t.px(pitch >= t.px(44) ? 6 : 2);
  std::vector<int> cells(size_t(p.size));
  for (int k = 0; k < p.size; ++k) cells[size_t(k)] = k;
  const CellStyle style = fit(pen, t, c, p, cells, pitch - gap - t.px(4), std::min(t.value(), box.h * 0.8f));
  const size_t inputs = v.model.run().report.input.size();
  for (int k = 0; k < p.size; ++k) {
    const int at = p.first + k;
    if (at >= c.state->size()) break;
    const bool changed = v.landed && use.written[size_t(k)], read = use.read[size_t(k)];
    const Box cell{box.x + pitch * float(k) + gap / 2, box.y, pitch - gap, box.h};
    const Colour fill = changed ? t.changed : cell_fill(t, c, at, inputs);
    const Colour edge = read ? t.read : changed && !t.dark() ? t.ink : t.line;
    pen.rect(cell, fill, edge, t.px(read ? 2 : 1), t.px(4));
    draw_value(pen, c, at, style, cell.centre(),
               changed ? t.on(fill)
               : read  ? t.ink
                       : t.ink2,
               changed || read);
    cell_hit(pen, v, *c.state, cell, {p.array, at}, "small:");
  }
}

/// `landed`: the step's writes have.
void draw_strip(Pen& pen, const Theme& t, const ArrayRange& p, const ArrayState& s, const ArrayUse& use,
                bool landed, const Box& box) {
  CellStrip strip = grey_cells(t, s, p.first, p.size, box.w);
  // what is written wins over what is read
  for (int k = 0; k < p.size; ++k)
    if (use.read[size_t(k)]) strip.mark(k, mix(t.read, t.cell, 0.75f));
  for (int k = 0; landed && k < p.size; ++k)
    if (use.written[size_t(k)]) strip.mark(k, t.changed);
  pen.strip(box, std::move(strip.colours));
  pen.rect(box, 0, t.line, t.px(1));
}

/// Its name, where it lies and what the step does with it.
void draw_array_title(Pen& pen, const Theme& t, const StepView& v, const ArrayRange& p, const ArrayUse& use,
                      const Box& box) {
  const float size = t.label();
  const bool main = p.array == v.to.array;
  HitRegion hit = array_hit(v.array(p.array), p.array);
  // of several rows the first has the array's name
  if (v.array(p.array).rows > 1 && p.first > 0) hit.name = "array:" + v.part_name(p);
  const LayoutNode title = row(
      t.px(10), {line({v.part_name(p)}, {size, main ? t.ink : t.ink2, main ? Font::mono_bold : Font::mono}),
                 line({p.array >= first_shared ? tr("shared") : tr("global")}, {size, t.ink3}).gives(1),
                 space(0).grows(), line({words_of(use)}, {size, t.ink2}).gives(2)});
  draw({pen, t}, pressed(title, std::move(hit)), box);
}

/// In a place: the title, and below it cells with values, or a strip where they have no room.
void draw_small_array(Pen& pen, const Theme& t, const StepView& v, const ArrayRange& p, bool with_words,
                      const Box& place, float title_h) {
  const ArrayUse use = use_of(v, p);
  draw_array_title(pen, t, v, p, use, {place.x, place.y, place.w, title_h});
  const StatePtr state = v.sub      ? v.model.after(*v.sub, p)
                         : v.landed ? v.model.after(v.step, p)
                                    : v.model.before(v.step, p);
  const auto words = !with_words || v.sub ? nullptr
                     : v.landed           ? v.model.words_after(v.step, p)
                                          : v.model.words_before(v.step, p);
  const Box box{place.x, place.y + title_h, place.w, std::min(place.h - title_h - t.px(8), t.px(44))};
  if (p.size <= wrap_at && box.h * 0.8f >= t.small() &&
      zoom_level(box.w / float(std::max(8, p.size)) / t.scale) <= Zoom::brief)
    draw_cells(pen, t, v, p, {state.get(), words.get()}, use, box);
  else
    draw_strip(pen, t, p, *state, use, v.landed, box);
}

}  // namespace

void draw_arrays(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v, bool words, float y) {
  std::vector<ArrayRange> parts = touched_parts(v);
  const float size = t.label(), caption_y = grid.bottom - size * 0.6f;
  const int all = int(parts.size());
  const ArrayPlaces places = array_places(t, grid.width, y + t.px(5, 0), caption_y - size, all);
  // of more than there is room for, those that this step touches
  if (all > places.shown)
    std::ranges::stable_partition(parts, [&](const ArrayRange& p) {
      const ArrayUse use = use_of(v, p);
      return use.reads + use.writes > 0;
    });
  for (int k = 0; k < places.shown; ++k)
    draw_small_array(pen, t, v, parts[size_t(k)], words, places.box(k), places.title_h);
  std::vector<std::string> what{tr("yellow: written in this step, blue: read")};
  if (all > places.shown) what.push_back(tr_count(all - places.shown, "{} more array", "{} more arrays"));
  pen.text({margin(t), caption_y},
           pen.fitted(joined(what, tr("; ")), grid.width - margin(t) - margin(t), size), size, t.ink2);
}

}  // namespace bscope
