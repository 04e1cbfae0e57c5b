// Transport and timeline.
#include <algorithm>

#include "app/draw/theme.hpp"
#include "app/session/state.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/ui_state.hpp"
#include "app/tabs/watch/timeline/timeline.hpp"

namespace bscope {
namespace {

/// The playhead under the mouse: the interval whose box has that x, and how far within it.
void drag_playhead(View& v, const View::PointerInput& touched) {
  const Picture& picture = v.ui.pictures.at("timeline").picture;
  const HitRegion* nearest = nullptr;
  float best = 0;
  for (const HitRegion& h : picture.hits) {
    if (h.what != HitRegion::interval) continue;
    const float off = std::max({0.0f, h.box.x - touched.at.x, touched.at.x - h.box.right()});
    if (!nearest || off < best) {
      nearest = &h;
      best = off;
    }
  }
  if (nearest)
    v.state = scrub(std::move(v.state), nearest->a, (touched.at.x - nearest->box.x) / nearest->box.w);
}

}  // namespace

Box playback_box(const Theme& t, Box area) {
  const float height = t.px(t.projector() ? 94 : 120);
  return {area.x, area.bottom() - height, area.w, height};
}

Box show_buttons(View& v, Box& area) {
  const Theme& t = v.theme;
  const Box bar = playback_box(t, area);
  v.frame(bar);
  const float buttons = t.px(t.projector() ? 390 : 226), inner = t.px(14);
  show_transport(v, {bar.x + inner, bar.y, buttons - inner, bar.h});
  area.h = area.h - bar.h - t.px(8);
  return {bar.x + buttons, bar.y, bar.w - buttons, bar.h};
}

Box show_playback(View& v, Box area) {
  const Box time = show_buttons(v, area);
  const auto touched = v.picture("timeline", time,
                                 [&](float w, float h) {
                                   return timeline(v.model, v.state.cursor, v.theme, v.metrics, w, h,
                                                   !v.state.lesson.hides_future());
                                 },
                                 {.extra = v.state.lesson.hides_future(), .framed = false});
  if (touched.held && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) drag_playhead(v, touched);
  return area;
}

}  // namespace bscope
