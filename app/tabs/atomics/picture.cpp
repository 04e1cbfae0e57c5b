#include "app/tabs/atomics/picture.hpp"

#include "app/tabs/atomics/sheet.hpp"

namespace bscope {

Picture atomics_view(const AtomicsModel& m, const AtomicsLook& look, const Theme& t, const Metrics& metrics,
                     float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  atomics::Sheet s{pen, t, m, look, m.time(look.t)};
  pen.rect({0, 0, w, h}, t.window);
  const float gap = t.px(8);
  const float fixed = t.px(24) + s.title() * 1.3f + s.label() * 3 + s.small() * 3 + t.px(30);
  float blocks = 0;
  for (const AtomicsModel::Side& side : m.sides) blocks += float(std::max<size_t>(2, side.rows.size()));
  const float top = std::clamp(fixed + blocks * t.px(18), h * 0.40f, h * (t.projector() ? 0.50f : 0.52f));
  atomics::queues(s, {0, 0, w, top});
  const float y = top + gap, height = h - y, across = w - 2 * gap;
  const float first = across * (t.projector() ? 0.235f : 0.19f);
  if (!m.racy) {  // two panels share the row
    atomics::input(s, {0, y, first, height});
    atomics::bins(s, {gap + first, y, w - gap - first, height});
    return picture;
  }
  const float second = across * (t.projector() ? 0.265f : 0.355f);
  atomics::input(s, {0, y, first, height});
  atomics::bins(s, {gap + first, y, second, height});
  atomics::racy(s, {2 * gap + first + second, y, across - first - second, height});
  return picture;
}

}  // namespace bscope
