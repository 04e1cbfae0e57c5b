// How far both kernels' queues have come, beside the transport.
#include <span>

#include "app/draw/layout.hpp"
#include "app/session/control.hpp"
#include "app/tabs/atomics/sheet.hpp"

namespace bscope {
namespace {

/// A bar a side: shared queues, then the totals that are added; what is served by now is strong.
void bars(const DrawContext& paper, Box in, const AtomicsModel& m, int now) {
  Pen& pen = paper.pen;
  const Theme& t = paper.t;
  const float tall = t.px(9), gap = t.px(4);
  const auto x = [&](int at) { return in.x + in.w * float(at) / float(m.end); };
  float top = in.y + t.px(6);
  for (const AtomicsModel::Side& side : std::span(m.sides).first(m.alone ? 1 : 2)) {
    const auto bar = [&](int from, int to, Colour c, float radius) {
      if (to > from) pen.rect({x(from), top, x(to) - x(from), tall}, c, 0, 1, radius);
    };
    const int shared = side.shared_longest ? side.merge_starts : side.total;
    bar(0, m.end, t.cell, t.px(3));
    bar(0, shared, mix(t.atomic, t.panel, 0.5f), t.px(3));
    bar(0, std::min(now, shared), t.atomic, t.px(3));
    bar(shared, side.total, mix(t.write, t.panel, 0.5f), 0);
    bar(shared, std::min(now, side.total), t.write, 0);
    top += tall + gap;
  }
  pen.rect({x(now) - t.px(2), in.y, t.px(4), 2 * tall + t.px(16)}, t.dark() ? t.changed : t.ink, 0, 1,
           t.px(2));
  pen.hit({.what = HitRegion::other,
           .box = {in.x, in.y - t.px(2), in.w, 2 * tall + t.px(20)},
           .a = 0,
           .b = m.end,
           .tip = tr("Drag: how far each queue has come."),
           .name = "turn",
           .drag = drags_time(m.end)});
}

}  // namespace

Picture atomics_timeline(const AtomicsModel& m, int t_asked, const Theme& t, const Metrics& metrics, float w,
                         float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  pen.rect({0, 0, w, h}, t.panel);
  const int now = m.time(t_asked);
  const auto served = [&](const AtomicsModel::Side& side) { return std::min(now, side.total); };
  const LayoutNode form =
      column(t.px(4),
             {line({m.alone ? tr("t = {} of {} turns", now, m.end)
                            : tr("t = {} of {} turns: {} of {} served above, {} of {} below", now, m.end,
                                 served(m.sides[0]), m.sides[0].total, served(m.sides[1]), m.sides[1].total),
                    tr("t = {} of {} turns", now, m.end)},
                   {t.label(), t.ink, Font::text_bold}),
              drawing(0, t.px(34), [&](const DrawContext& paper, Box box) { bars(paper, box, m, now); })});
  const DrawContext paper{pen, t};
  const float left = t.px(16), room = w - t.px(36), height = form.height_at(paper, room);
  draw(paper, form, {left, (h - height) / 2, room, height});
  return picture;
}

}  // namespace bscope
