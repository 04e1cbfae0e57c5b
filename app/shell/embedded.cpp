#include "app/shell/embedded.hpp"

#include <algorithm>
#include <cmath>

#include "app/draw/theme.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/files.hpp"
#include "app/shell/header.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/ui_state.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// The size that a view is laid out for at scale 1, and the smallest scale at which it is still read.
struct Room {
  float width, height, least;
};
Room room_of(const State& s) {
  if (s.theme == ThemeName::projector) return {1500, 800, 0.5f};
  if (s.tab == main_tab) return {860, 470, 0.72f};
  return {1200, 640, 0.75f};
}

/// Underlined, at the right end of the row, as long as there is room behind `from`; a press shows the app.
void show_link(View& v, Box row, float from) {
  // a page has no address for a file that was sent to it
  if (v.state.target.is_file() && !v.ui.of<FileDialogs>().downloads.empty()) return;
  const Theme& t = v.theme;
  const float size = t.px(t.projector() ? t.size_label : 13);
  for (const std::string& words : {tr("Open in Barrierscope"), std::string("Barrierscope")}) {
    const float w = v.width(words, size);
    if (row.right() - w < from + t.px(10)) continue;
    const Box box{row.right() - w, row.y, w, row.h};
    v.ui.of<EmbeddedView>().whole_app = box;
    ImGui::SetCursorScreenPos({box.x, box.y});
    const bool pressed = ImGui::InvisibleButton("whole app", {box.w, box.h});
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    tip_of_item(t, tr("Open the whole app on what is shown here"));
    const float line = box.centre().y + size * 0.62f;
    v.text({box.x, box.centre().y}, words, size, t.ink2);
    v.painter.fill(ImGui::GetWindowDrawList(), {box.x, line}, {box.right(), line + t.thin()}, t.ink3, 0);
    if (pressed) v.ui.of<EmbeddedView>().name.clear();
    return;
  }
}

}  // namespace

Theme embedded_theme(const LoadedState& s, Box window) {
  const Room room = room_of(s);
  const float fits = std::min(window.w / room.width, window.h / room.height);
  return theme(s.theme, 900 * std::clamp(fits, room.least, 3.0f));
}

void show_embedded(View& v, Box window) {
  const Theme& t = v.theme;
  // whole pixels: a border at a fraction of one would be clipped away
  const float gap = std::round(t.px(8)), height = std::round(std::max(t.px(t.projector() ? 56 : 36), 32.0f));
  Box area{window.x + gap, window.y + gap, window.w - 2 * gap, window.h - height - 3 * gap};
  const Box row{area.x, area.bottom() + gap, area.w, height};
  v.ui.of<EmbeddedView>().whole_app = {};
  v.ui.of<TroublesPanel>().height = 0;
  const float told = show_troubles(v, {}, area, 2);
  area.y += told, area.h -= told;
  if (v.state.only_run)
    show_only_run(v, area);
  else if (const TabPanel& panel = panel_of(v.tab); panel.alone)
    panel.alone(v, area);
  else
    show_picture(v, area);
  const bool steps = v.state.only_run || (v.tab.plays && (!v.tab.transport || v.tab.transport(v.state)));
  show_link(v, row, steps ? show_small_transport(v, row) : row.x);
}

bool works_embedded(const Command& c, const LoadedState& s) {
  if (!c.tab.empty()) return c.tab == s.tab && !s.only_run;
  return c.group == "Steps" || c.group == "Selection" || c.group == "Predict" || c.id.starts_with("zoom.") ||
         c.id == "undo" || c.id == "redo";
}

}  // namespace bscope
