#include "app/tabs/watch/source/grid.hpp"

#include <string>

#include "app/tabs/watch/draw.hpp"

namespace bscope {

SourceGrid source_grid(const Theme& t, const Metrics& m, float width, int lines, bool profiled) {
  SourceGrid at{.width = width, .size = t.px(t.size_code)};
  at.row = at.size * (t.projector() ? 1.5f : 1.42f);
  at.letter = m.width(Font::mono, at.size, "m");
  at.right = t.px(14, 10);
  at.number_gap = t.px(12, 8);
  at.runs_w = at.size * (t.projector() ? 2.6f : 2.2f);
  at.bar_w = t.px(38, 78);
  at.active_w = at.size * (t.projector() ? 3.4f : 3.6f);
  at.code_left = margin(t) + at.letter * float(std::to_string(lines).size()) + at.number_gap;
  const auto room_beside = [&](float columns) { return width - at.right - columns - at.code_left; };
  at.runs_gap = t.px(10);
  float columns = at.runs_w + at.runs_gap + at.bar_w + at.active_w + t.px(6);
  // A line of code comes first. The bar goes before the runs, for it draws what the average says.
  const float wanted = at.letter * 18;
  if (room_beside(columns) < wanted) columns -= at.bar_w, at.bar_w = 0;
  if (room_beside(columns) < wanted) columns -= at.runs_w + at.runs_gap, at.runs_w = at.runs_gap = 0;
  at.code_right = width - at.right - (profiled ? columns : 0);
  return at;
}

}  // namespace bscope
