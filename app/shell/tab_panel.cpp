// A tab in the window, as its value says it: the runs that can be chosen, what is made in the background, the
// transport with its timeline, the picture.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/layout.hpp"
#include "app/session/choices.hpp"
#include "app/session/tab.hpp"
#include "app/shell/panel.hpp"

namespace bscope {
namespace {

TabScene scene_of(View& v) {
  return {.state = v.state,
          .model = v.model,
          .theme = v.theme,
          .metrics = v.metrics,
          .services = v.kept.services,
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
    if (!c->button || (c->can && !c->can(v.state, v.kept.services))) continue;
    const std::string words = c->button(v.state);
    const float width = v.width(words, t.px(t.size_label)) + t.px(24);
    ImGui::SetCursorScreenPos({row.right() - width, row.centre().y - ImGui::GetFrameHeight() / 2});
    if (ImGui::Button((words + "###" + c->id).c_str(), {width, 0})) c->run(v.state, v.kept.services);
    ImGui::SetItemTooltip("%s", say(c->tip).c_str());
    row.w -= width + t.px(16);
  }
  return row;
}

/// The runs side by side in a row. Returns what is left below.
Box show_choices(const Tab& tab, View& v, Box area) {
  const Theme& t = v.theme;
  const float height = t.px(t.projector() ? 44 : 32), gap = t.px(8), between = t.px(16);
  const std::vector<ChooseRun> choices = tab.choices(v.state);
  if (choices.empty()) return area;
  const Box row = show_buttons_of(tab, v, {area.x + gap, area.y, area.w - 2 * gap, height});
  const float width = (row.w + between) / float(choices.size()) - between;
  Box place{row.x, row.y, width, height};
  for (const ChooseRun& c : choices) {
    RunChoice choice = c.choice;
    // what was asked for last stands in the fields while its run is being made
    const Target* waits = c.opens ? v.kept.openings.waits_for() : nullptr;
    if (waits && !waits->is_file()) choice.n = waits->request.n.value_or(0);
    if (choose_run(v, place, c, choice)) {
      if (c.opens) {
        v.kept.openings.give_up();
        v.kept.openings.take(v.state, [step = c.chosen, choice](State& s) { step(s, choice); });
      } else {
        c.chosen(v.state, choice);
      }
    }
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

/// A sentence in a frame of its own, which is as high as the area or as the sentence. Returns what is left
/// below.
Box show_sentence(View& v, Box area, const std::string& words, bool fills) {
  Picture picture{area.w, area.h, {}, {}};
  Pen pen(picture, v.metrics);
  const DrawContext paper{pen, v.theme};
  const float margin = v.theme.px(14), room = area.w - 2 * margin;
  const LayoutNode form = text({{words, v.theme.ink}}, {.size = v.theme.label()});
  const float height = fills ? area.h : form.height_at(paper, room) + margin;
  v.frame({area.x, area.y, area.w, height});
  draw(paper, form, {margin, fills ? margin : margin / 2, room, height - margin});
  v.painter.draw(picture, {area.x, area.y}, ImGui::GetWindowDrawList());
  const float taken = height + v.theme.px(8);
  return {area.x, area.y + taken, area.w, area.h - taken};
}

/// What the tab proposes, with its button. Returns what is left below.
Box show_offer(const Tab& tab, View& v, Box area) {
  const std::optional<TabSuggestion> offer = tab.offers(v.state, v.kept.services);
  if (!offer) return area;
  if (offer->at_once && !v.kept.tab.empty() && v.kept.tab != tab.name) {
    v.kept.openings.take(v.state, offer->take);
    notify(v.kept, offer->words + " " + say("Undo goes back."));
    return area;
  }
  const Theme& t = v.theme;
  const float size = t.px(t.projector() ? 22 : t.size_label), height = ImGui::GetFrameHeight() + t.px(10);
  v.frame({area.x, area.y, area.w, height});
  v.text({area.x + t.px(14), area.y + height / 2}, offer->words, size, t.ink);
  ImGui::SetCursorScreenPos({area.x + t.px(28) + v.width(offer->words, size), area.y + t.px(5)});
  if (ImGui::Button((offer->button + "###offer").c_str())) v.kept.openings.take(v.state, offer->take);
  const float taken = height + t.px(8);
  return {area.x, area.y + taken, area.w, area.h - taken};
}

/// The transport, and the tab's own timeline beside it. Returns what is left above.
Box show_time(const Tab& tab, View& v, Box area) {
  if (!tab.timeline) return show_playback(v, area);
  const Box bar = show_buttons(v, area);
  const TabScene scene = scene_of(v);
  v.picture(tab.name + " time", {bar.x, bar.y + 1, bar.w - 1, bar.h - 2},
            [&](float w, float h) { return tab.timeline(scene, w, h); },
            {.extra = look_of_tab(tab, scene), .framed = false, .placed = !tab.time});
  return area;
}

/// Takes what the tab needs; where it is not all there, says why. Returns what is left for the picture.
std::optional<Box> show_making(const Tab& tab, View& v, Box area) {
  if (!tab.making) return area;
  const bool done = make(tab, v), failed = v.state.error_at == tab.making->where;
  const bool there = std::as_const(v.state).tabs.of(*tab.state).made();
  if (failed || !there) {
    const std::string words = failed  ? said(v.state.error)
                              : !done ? say("The kernels are being run.")
                                      : say("Choose what to show, above.");
    area = show_sentence(v, area, words, !there);
  }
  return there ? std::optional(area) : std::nullopt;
}

void show_made(const Tab& tab, View& v, Box area) {
  const TabScene scene = scene_of(v);
  const uint64_t extra = look_of_tab(tab, scene);
  // with a time of its own, or none, it shows no place in the run
  v.picture(tab.name, area, [&](float w, float h) { return tab.picture(scene, w, h); },
            {.extra = extra, .framed = false, .placed = tab.plays && !tab.time});
}

void show_tab(View& v, Box area) {
  const Tab& tab = v.tab;
  if (tab.choices) area = show_choices(tab, v, area);
  const std::optional<Box> left = show_making(tab, v, area);
  if (!left) return;
  area = *left;
  if (tab.offers) area = show_offer(tab, v, area);
  if (tab.plays && (!tab.transport || tab.transport(v.state))) area = show_time(tab, v, area);
  show_made(tab, v, area);
}

}  // namespace

std::vector<TabPanel>& tab_panels() {
  static std::vector<TabPanel> panels;
  return panels;
}

void show_picture(View& v, Box area) {
  if (const std::optional<Box> left = show_making(v.tab, v, area)) show_made(v.tab, v, *left);
}

const TabPanel& panel_of(const Tab& tab) {
  static const TabPanel plain{"", show_tab};
  const auto& all = tab_panels();
  const auto found = std::ranges::find(all, tab.name, &TabPanel::tab);
  return found == all.end() ? plain : *found;
}

const Tab* being_made(const UiState& kept) {
  for (const Tab* tab : tabs())
    if (const auto found = kept.making.find(tab->name);
        found != kept.making.end() && found->second.step.busy())
      return tab;
  return nullptr;
}

void give_up_making(const Tab& tab, State& s, UiState& kept) {
  TabMaking& beside = kept.making[tab.name];
  beside.step.give_up();
  tab.making->given_up(s, beside.last);
}

}  // namespace bscope
