// Of a zoomed array: the whole of it as a thin strip, and which of its cells are in view.
#include <algorithm>
#include <cmath>

#include "app/draw/chart.hpp"
#include "app/session/state.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/words/words.hpp"

namespace bscope {

void draw_position(Scene& v) {
  const Columns& c = v.columns;
  if (c.visible >= c.size) return;
  const ArrayRange& p = v.to;
  const Box strip{c.left, v.y + v.px(3), c.right() - c.left, v.px(v.theme.projector() ? 8 : 6)};
  CellStrip cells = grey_cells(v.theme, *v.shown().state, p.first, c.size, strip.w);
  if (v.landed) cells.mark(v.written(), {p.array, p.first}, v.theme.changed);
  v.pen.strip(strip, std::move(cells.colours));
  const float each = strip.w / float(c.size), w = std::max(v.px(8), each * float(c.visible));
  const float x = std::clamp(strip.x + each * float(c.first), strip.x, strip.right() - w);
  v.pen.rect(grown({x, strip.y, w, strip.h}, v.px(2)), 0, v.theme.ink, v.px(2), v.px(2));
  const int last = c.size - c.visible;
  press(v.pen, v.theme,
        {.what = HitRegion::other,
         .box = {strip.x, strip.y - v.px(3), strip.w, strip.h + v.px(6)},
         .a = 0,
         .b = last,
         .tip = tr("Cells {} to {} of {} are in view. Drag to see others; key 0 shows all.", c.first,
                   c.first + c.visible - 1, c.size),
         .name = "position",
         .now = float(c.first),
         .drag = [last](State& s, float share) { s.cursor.scroll = std::round(share * float(last)); }});
  v.y = strip.bottom() + v.px(7);
}

}  // namespace bscope
