#include "app/tabs/watch/array/arrow_paths.hpp"

#include <algorithm>
#include <cmath>

#include "app/draw/theme.hpp"

namespace bscope {
namespace {

/// Whether a curve runs behind the box.
bool crosses(const ArrowPath& path, const Box& box) {
  constexpr int parts = 48;
  const Box inside{box.x + 1, box.y + 1, box.w - 2, box.h - 2};
  for (int k = 0; k <= parts; ++k)
    if (inside.contains(on_curve(path, float(k) / parts))) return true;
  return false;
}

}  // namespace

ArrowPath straight_path(Point a, Point b) {
  return {
      {a, {a.x + (b.x - a.x) / 3, a.y + (b.y - a.y) / 3}, {b.x - (b.x - a.x) / 3, b.y - (b.y - a.y) / 3}, b}};
}

Point on_curve(const ArrowPath& path, float t) {
  const auto& p = path.p;
  const float u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
          a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

ArrowPath path_to_pill(const Theme& t, Point from, const Box& pill, const std::vector<Box>& pills) {
  const float x = pill.centre().x, port = std::min(pill.w * 0.28f, t.px(14));
  const bool from_left = from.x < x;
  const bool down = std::fabs(from.x - x) < 1;
  const ArrowPath ways[] = {straight_path(from, {down        ? x
                                                 : from_left ? x - port
                                                             : x + port,
                                                 pill.y}),
                            straight_path(from, {from_left ? x - pill.w * 0.4f : x + pill.w * 0.4f, pill.y}),
                            straight_path(from, {from_left ? pill.x : pill.right(), pill.centre().y})};
  for (const ArrowPath& way : ways)
    if (std::ranges::none_of(pills, [&](const Box& other) { return crosses(way, other); })) return way;
  return ways[0];
}

void draw_arrow(Pen& pen, const Theme& t, const ArrowPath& path, Colour colour, float thick) {
  const auto& p = path.p;
  const Point d{p[3].x - p[2].x, p[3].y - p[2].y};
  const float length = std::max(0.01f, std::hypot(d.x, d.y)), back = t.px(6);
  const Point end{p[3].x - d.x / length * back, p[3].y - d.y / length * back};
  const bool straight =
      std::fabs((p[1].x - p[0].x) * (p[3].y - p[0].y) - (p[1].y - p[0].y) * (p[3].x - p[0].x)) < 1;
  if (straight)
    pen.line(p[0], end, colour, thick);
  else
    pen.curve(p[0], p[1], p[2], end, colour, thick);
  pen.arrow_head(p[3], {d.x / length, d.y / length}, t.px(9), colour);
}

}  // namespace bscope
