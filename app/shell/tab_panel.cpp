// A tab in the window, as its value says it: the runs that can be chosen, what is made beside the frames, the
// transport with its timeline, the picture.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/layout.hpp"
#include "app/session/choices.hpp"
#include "app/session/tab.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/playback.hpp"
#include "app/shell/run_choice.hpp"

namespace bscope {
namespace {

TabScene scene_of(View& v) {
  return {.state = v.state,
          .model = v.model,
          .theme = v.theme,
          .metrics = v.metrics,
          .kit = v.kept.kit,
          .wake = v.kept.wake,
          .patience = std::chrono::milliseconds(ImGui::IsMouseDown(ImGuiMouseButton_Left) ? 2 : 2000)};
}

/// What a picture of the tab was made from, beside what all pictures are made from.
uint64_t look_of_tab(const Tab& tab, const TabScene& scene) {
  const uint64_t changes = tab.changes ? tab.changes(scene) : 0;
  return tab.state ? changes ^ scene.state.tabs.of(*tab.state).fingerprint() : changes;
}

/// A button for each command that has one, at the right end of the row. Returns what is left of it.
Box show_buttons_of(const Tab& tab, View& v, Box row) {
  const Theme& t = v.theme;
  for (auto c = tab.commands.rbegin(); c != tab.commands.rend(); ++c) {
    if (!c->button) continue;
    const std::string words = c->button(v.state);
    const float width = v.width(words, t.px(t.size_label)) + t.px(24);
    ImGui::SetCursorScreenPos({row.right() - width, row.centre().y - ImGui::GetFrameHeight() / 2});
    if (ImGui::Button((words + "###" + c->id).c_str(), {width, 0})) c->run(v.state, v.kept.kit);
    ImGui::SetItemTooltip("%s", say(c->tip).c_str());
    row.w -= width + t.px(16);
  }
  return row;
}

/// The runs side by side in a row. Returns what is left below.
Box show_choices(const Tab& tab, View& v, Box area) {
  const Theme& t = v.theme;
  const float height = t.px(t.projector() ? 44 : 32), gap = t.px(8), between = t.px(16);
  const Box row = show_buttons_of(tab, v, {area.x + gap, area.y, area.w - 2 * gap, height});
  const std::vector<ChooseRun> choices = tab.choices(v.state);
  const float width = (row.w + between) / float(choices.size()) - between;
  Box place{row.x, row.y, width, height};
  for (const ChooseRun& c : choices) {
    RunChoice choice = c.choice;
    if (choose_run(v, place, c, choice)) c.chosen(v.state, choice);
    place.x += width + between;
  }
  return {area.x, area.y + height + gap, area.w, area.h - height - gap};
}

/// Takes what the tab needs as far as it is there; true when it is all there, or failed.
bool make(const Tab& tab, View& v) {
  TabMaking& beside = v.kept.making[tab.name];
  const bool done = beside.step(v.state, tab.making->how, v.kept.wake);
  if (done && std::as_const(v.state).tabs.of(*tab.state).made()) beside.last = v.state.tabs;
  return done;
}

void show_sentence(View& v, Box area, const std::string& words) {
  v.frame(area);
  Picture picture{area.w, area.h, {}, {}};
  Pen pen(picture, v.metrics);
  const float margin = v.theme.px(16);
  draw({pen, v.theme}, text({{words, v.theme.ink}}, {.size = v.theme.label()}),
       {margin, margin, area.w - 2 * margin, area.h - 2 * margin});
  v.painter.draw(picture, {area.x, area.y}, ImGui::GetWindowDrawList());
}

/// The transport, and the tab's own timeline beside it. Returns what is left above.
Box show_time(const Tab& tab, View& v, Box area) {
  if (!tab.timeline) return show_playback(v, area);
  const Box bar = show_buttons(v, area);
  const TabScene scene = scene_of(v);
  v.picture(tab.name + " time", {bar.x, bar.y + 1, bar.w - 1, bar.h - 2},
            [&](float w, float h) { return tab.timeline(scene, w, h); },
            {.extra = look_of_tab(tab, scene), .framed = false});
  return area;
}

void show_tab(View& v, Box area) {
  const Tab& tab = v.tab;
  if (tab.choices) area = show_choices(tab, v, area);
  if (tab.making) {
    const bool done = make(tab, v);
    if (!std::as_const(v.state).tabs.of(*tab.state).made())
      return show_sentence(v, area,
                           !done                                 ? say("The kernels are being run.")
                           : v.state.error_at == tab.says_errors ? said(v.state.error)
                                                                 : say("These runs failed."));
  }
  if (tab.plays && (!tab.transport || tab.transport(v.state))) area = show_time(tab, v, area);
  const TabScene scene = scene_of(v);
  const uint64_t extra = look_of_tab(tab, scene);
  v.picture(tab.name, area, [&](float w, float h) { return tab.picture(scene, w, h); },
            {.extra = extra, .framed = false});
}

}  // namespace

std::vector<TabPanel>& tab_panels() {
  static std::vector<TabPanel> panels;
  return panels;
}

const TabPanel& panel_of(const Tab& tab) {
  static const TabPanel plain{"", show_tab};
  const auto& all = tab_panels();
  const auto found = std::ranges::find(all, tab.name, &TabPanel::tab);
  return found == all.end() ? plain : *found;
}

const Tab* being_made(const Kept& kept) {
  for (const Tab* tab : tabs())
    if (const auto found = kept.making.find(tab->name);
        found != kept.making.end() && found->second.step.busy())
      return tab;
  return nullptr;
}

void give_up_making(const Tab& tab, State& s, Kept& kept) {
  TabMaking& beside = kept.making[tab.name];
  beside.step.give_up();
  tab.making->given_up(s, beside.last);
}

}  // namespace bscope
