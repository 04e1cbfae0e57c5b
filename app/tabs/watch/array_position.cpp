// Of a zoomed array: the whole of it as a thin strip, and which of its cells are in view.
#include <algorithm>

#include "app/draw/chart.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/words/words.hpp"

namespace bscope {

void draw_position(Scene& v) {
  const Columns& c = v.columns;
  if (c.visible >= c.size) return;
  const Part& p = v.to;
  const ArrayState& s = v.landed ? *v.after : *v.was;
  const Box strip{c.left, v.y + v.px(3), c.right() - c.left, v.px(v.theme.projector() ? 8 : 6)};
  const int buckets = std::max(1, std::min(c.size, int(strip.w)));
  const std::vector<float> most = largest_in_parts(s, p.first, c.size, buckets);
  const double largest = double(*std::max_element(most.begin(), most.end()));
  std::vector<Colour> colours;
  for (const float value : most) colours.push_back(shade(v.theme, double(value), largest));
  if (v.landed)
    for (const auto& [key, unused] : v.written_in(p.array, p.first, c.size))
      colours[size_t(int64_t(int(uint32_t(key)) - p.first) * buckets / c.size)] = v.theme.changed;
  v.pen.strip(strip, std::move(colours));
  const float each = strip.w / float(c.size), w = std::max(v.px(8), each * float(c.visible));
  const float x = std::clamp(strip.x + each * float(c.first), strip.x, strip.right() - w), out = v.px(2);
  v.pen.rect({x - out, strip.y - out, w + 2 * out, strip.h + 2 * out}, 0, v.theme.ink, v.px(2), v.px(2));
  press(v.pen, v.theme,
        {Hit::button,
         {strip.x, strip.y - v.px(3), strip.w, strip.h + v.px(6)},
         0,
         c.size - c.visible,
         say("Cells {} to {} of {} are in view. Drag to see others; key 0 shows all.", c.first,
             c.first + c.visible - 1, c.size),
         "position",
         float(c.first)});
  v.y = strip.bottom() + v.px(7);
}

}  // namespace bscope
