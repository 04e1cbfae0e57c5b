// What fingers do, to ImGui and to the panels.
#include <imgui_internal.h>

#include <algorithm>

#include "app/shell/app.hpp"
#include "app/shell/touch_input.hpp"

namespace bscope {

Under App::under(Point at) const {
  ImGuiWindow* window = nullptr;
  ImGui::FindHoveredWindowEx({at.x, at.y}, false, &window, nullptr);
  // a list scrolls but where its bar is
  for (ImGuiWindow* w = window; w && w->ParentWindow != w; w = w->ParentWindow)
    if (w->ScrollMax.y > 0 && !(w->Flags & ImGuiWindowFlags_NoScrollWithMouse) &&
        w->InnerRect.Contains({at.x, at.y}))
      return Under::scrolls;
  const int frame = ImGui::GetFrameCount();
  for (const auto& [name, shown] : ui.pictures) {
    if (shown.frame < frame - 1 || !shown.turns || !shown.area.contains(at)) continue;
    const Point in{at.x - shown.area.x, at.y - shown.area.y};
    const bool drags = std::ranges::any_of(shown.picture.hits,
                                           [&](const HitRegion& h) { return h.drag && h.box.contains(in); });
    return drags ? Under::drags : Under::turns;
  }
  return Under::drags;
}

void App::touched(const GestureRecognizer::PointerEvent& d) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseSourceEvent(ImGuiMouseSource_TouchScreen);
  switch (d.action) {
    case GestureRecognizer::PointerEvent::moves: return io.AddMousePosEvent(d.at.x, d.at.y);
    case GestureRecognizer::PointerEvent::presses: return io.AddMouseButtonEvent(ImGuiMouseButton_Left, true);
    case GestureRecognizer::PointerEvent::releases:
      return io.AddMouseButtonEvent(ImGuiMouseButton_Left, false);
    case GestureRecognizer::PointerEvent::leaves: return io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    case GestureRecognizer::PointerEvent::wheels: return io.AddMouseWheelEvent(d.x, d.y);
    case GestureRecognizer::PointerEvent::pinches:
      ui.of<TouchInput>().pinch.at = d.at;
      ui.of<TouchInput>().pinch.across += d.x;
      ui.of<TouchInput>().pinch.factor *= d.y;
      return;
  }
}

}  // namespace bscope
