#include "app/tabs/atomics/picture.hpp"

#include "app/draw/upright.hpp"
#include "app/tabs/atomics/sheet.hpp"

namespace bscope {

Picture atomics_view(const AtomicsModel& m, const AtomicsLook& look, const Theme& t, const Metrics& metrics,
                     float w, float h) {
  using namespace atomics;
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  const AtomicsSheet s{t, m, look, m.time(look.t)};
  pen.rect({0, 0, w, h}, t.window);
  const float fixed = t.px(24) + t.title() * 1.3f + t.label() * 3 + t.small() * 3 + t.px(30);
  if (!m.has_queues() && m.racy) {  // nothing waits: what is lost is all there is
    draw({pen, t}, racy(s), {0, 0, w, h});
    return picture;
  }
  if (is_upright(t, w, h)) {
    std::vector<std::pair<float, LayoutNode>> parts{{1, queues(s)}, {0.8f, bins(s)}, {0.7f, input(s)}};
    if (m.racy) parts.insert(parts.begin() + 2, {1, racy(s)});
    draw({pen, t}, floors(t.gap(), std::move(parts)), {0, 0, w, h});
    return picture;
  }
  float blocks = 0;
  for (const auto& side : m.sides) blocks += float(std::max<size_t>(2, side.rows.size()));
  const float top = clamp_or_least(fixed + blocks * t.px(18), h * 0.40f, h * (t.projector() ? 0.50f : 0.52f));
  std::vector<std::pair<float, LayoutNode>> below{{t.projector() ? 0.235f : 0.19f, input(s)}};
  below.emplace_back(m.racy ? (t.projector() ? 0.265f : 0.355f) : 1 - below[0].first, bins(s));
  if (m.racy) below.emplace_back(1 - below[0].first - below[1].first, racy(s));
  draw({pen, t},
       column(t.gap(), {drawing(0, top, queues(s).drawn),
                        drawing(0, 0, shares(t.gap(), std::move(below)).drawn).grows()}),
       {0, 0, w, h});
  return picture;
}

}  // namespace bscope
