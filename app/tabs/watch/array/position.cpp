#include "app/tabs/watch/array/position.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/session/state.hpp"
#include "app/tabs/watch/array/columns.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/words/words.hpp"

namespace bscope {

float draw_position(Pen& pen, const Theme& t, const Columns& c, const StepView& v, const ArrayState& shown,
                    float y) {
  if (c.visible >= c.size) return y;
  const ArrayRange& p = v.to;
  const Box strip{c.left, y + t.px(3), c.right() - c.left, t.px(6, 8)};
  CellStrip cells = grey_cells(t, shown, p.first, c.size, strip.w);
  if (v.landed) cells.mark(v.written(), {p.array, p.first}, t.changed);
  pen.strip(strip, std::move(cells.colours));
  const float each = strip.w / float(c.size), w = std::max(t.px(8), each * float(c.visible));
  const float x = clamp_or_least(strip.x + each * float(c.first), strip.x, strip.right() - w);
  pen.rect(grown({x, strip.y, w, strip.h}, t.px(2)), 0, t.ink, t.px(2), t.px(2));
  const int last = c.size - c.visible;
  press(pen, t,
        {.what = HitRegion::other,
         .box = {strip.x, strip.y - t.px(3), strip.w, strip.h + t.px(6)},
         .a = 0,
         .b = last,
         .tip = tr("Cells {} to {} of {} are in view. Drag to see others; key 0 shows all.", c.first,
                   c.first + c.visible - 1, c.size),
         .name = "position",
         .now = float(c.first),
         .drag = [last](LoadedState& s, float share) { s.cursor.scroll = std::round(share * float(last)); }});
  return strip.bottom() + t.px(7);
}

}  // namespace bscope
