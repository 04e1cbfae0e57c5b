// A tab in the window, as its value says it: the runs that can be chosen, what is made in the background, the
// transport with its timeline, the picture.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/layout.hpp"
#include "app/draw/theme.hpp"
#include "app/run/target.hpp"
#include "app/session/choices.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/ui_state.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// What tabs need beside the open run, as it was.
struct TabLoading {
  std::map<std::string, TabStates> last_shown;  ///< by tab: what was remembered when all was there
  std::string tab;  ///< the one whose needs were loading in the last frame; empty: none
};

TabScene scene_of(View& v) {
  return {.state = v.state,
          .model = v.model,
          .theme = v.theme,
          .metrics = v.metrics,
          .services = v.ui.services,
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
    if (!c->button || (c->can && !c->can(v.state, v.ui.services))) continue;
    const std::string words = c->button(v.state);
    const float width = v.width(words, t.px(t.size_label)) + t.px(24);
    ImGui::SetCursorScreenPos({row.right() - width, row.centre().y - ImGui::GetFrameHeight() / 2});
    if (ImGui::Button((words + "###" + c->id).c_str(), {width, 0})) c->run(v.state, v.ui.services);
    ImGui::SetItemTooltip("%s", tr(c->tip).c_str());
    row.w -= width + t.px(16);
  }
  return row;
}

/// The runs side by side in a row, or one below the other. Returns what is left below.
Box show_choices(const Tab& tab, View& v, Box area, bool below) {
  const Theme& t = v.theme;
  // fields for fingers are higher than the row of a desk
  const float height = std::max(t.px(t.projector() ? 44 : 32), ImGui::GetFrameHeight());
  const float gap = t.px(8), between = t.px(16);
  const std::vector<ChooseRun> choices = tab.choices(v.state);
  if (choices.empty()) return area;
  const Box row = show_buttons_of(tab, v, {area.x + gap, area.y, area.w - 2 * gap, height});
  const float width = below ? row.w : (row.w + between) / float(choices.size()) - between;
  Box place{row.x, row.y, width, height};
  for (const ChooseRun& c : choices) {
    RunChoice choice = c.choice;
    // what was asked for last stands in the fields while its run is being made
    const Target* waits = c.opens ? v.ui.dispatcher.awaited() : nullptr;
    if (waits && !waits->is_file()) choice.n = waits->request.n.value_or(0);
    if (choose_run(v, place, c, choice)) {
      if (c.opens) {
        v.ui.dispatcher.cancel();
        v.ui.dispatcher.dispatch(
            v.state, [step = c.chosen, choice, &runs = v.ui.runs](LoadedState& s) { step(s, choice, runs); });
      } else {
        c.chosen(v.state, choice, v.ui.runs);
      }
    }
    if (below)
      place.y += height + gap;
    else
      place.x += width + between;
  }
  for (size_t k = 0; k < (below ? choices.size() : 1); ++k)
    area = {area.x, area.y + height + gap, area.w, area.h - height - gap};
  return area;
}

/// Takes what the tab needs as far as it is there; true when it is all there, or refused.
bool take_needs(const Tab& tab, View& v) {
  v.state = tab.needs->take(std::move(v.state), v.ui.runs);
  const bool done = !v.state.awaits;
  v.state.awaits.reset();
  v.ui.of<TabLoading>().tab = done ? std::string() : tab.name;
  if (done && tab.needs->taken(v.state)) v.ui.of<TabLoading>().last_shown[tab.name] = v.state.tabs;
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

void take_suggestion(View& v, const TabSuggestion& offer) {
  v.ui.dispatcher.dispatch(v.state,
                           [take = offer.take, &runs = v.ui.runs](LoadedState& s) { take(s, runs); });
}

/// What the tab proposes, with its button behind it, or below. Returns what is left below.
Box show_offer(const Tab& tab, View& v, Box area, bool below) {
  const std::optional<TabSuggestion> offer = tab.offers(v.state, v.ui.services);
  if (!offer) return area;
  if (offer->at_once && !v.ui.tab.empty() && v.ui.tab != tab.name) {
    take_suggestion(v, *offer);
    notify(v.ui, offer->words + " " + tr("Undo goes back."));
    return area;
  }
  const Theme& t = v.theme;
  const float size = t.px(t.projector() ? 22 : t.size_label), height = ImGui::GetFrameHeight() + t.px(10);
  if (below) {
    area = show_sentence(v, area, offer->words, false);
    ImGui::SetCursorScreenPos({area.x, area.y});
  } else {
    v.frame({area.x, area.y, area.w, height});
    v.text({area.x + t.px(14), area.y + height / 2}, offer->words, size, t.ink);
    ImGui::SetCursorScreenPos({area.x + t.px(28) + v.width(offer->words, size), area.y + t.px(5)});
  }
  if (ImGui::Button((offer->button + "###offer").c_str())) take_suggestion(v, *offer);
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
std::optional<Box> show_needs(const Tab& tab, View& v, Box area) {
  if (!tab.needs) return area;
  const bool done = take_needs(tab, v), failed = v.state.error_at == tab.needs->where;
  const bool there = tab.needs->taken(v.state);
  if (failed || !there) {
    const std::string words = failed  ? tr(v.state.error)
                              : !done ? tr("The kernels are being run.")
                                      : tr("Choose what to show, above.");
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

/// Whether the tab shows a whole run, which would answer a question that a lesson asks in another tab.
bool answers_an_open_question(const Tab& tab, const State& s) {
  return s.lesson.open && s.lesson.asking && tab.time && s.lesson.asks_in != tab.name;
}

/// `narrow`: in the width of a phone, without the transport, which stands below it.
void show_all(View& v, Box area, bool narrow) {
  const Tab& tab = v.tab;
  if (answers_an_open_question(tab, v.state)) {
    show_sentence(v, area, tr("This tab would answer the lesson's open question: answer it there first (N)."),
                  true);
    return;
  }
  if (tab.choices) area = show_choices(tab, v, area, narrow);
  const std::optional<Box> left = show_needs(tab, v, area);
  if (!left) return;
  area = *left;
  if (tab.offers) area = show_offer(tab, v, area, narrow);
  if (!narrow && tab.plays && (!tab.transport || tab.transport(v.state))) area = show_time(tab, v, area);
  if (narrow) area.h = std::max(area.h, v.theme.px(tab.narrow_height));
  show_made(tab, v, area);
}

void show_tab(View& v, Box area) { show_all(v, area, false); }

}  // namespace

std::vector<TabPanel>& tab_panels() {
  static std::vector<TabPanel> panels;
  return panels;
}

void show_picture(View& v, Box area) {
  if (const std::optional<Box> left = show_needs(v.tab, v, area)) show_made(v.tab, v, *left);
}

void show_narrow_tab(View& v, Box area) { show_all(v, area, true); }

const TabPanel& panel_of(const Tab& tab) {
  static const TabPanel plain{"", show_tab};
  const auto& all = tab_panels();
  const auto found = std::ranges::find(all, tab.name, &TabPanel::tab);
  return found == all.end() ? plain : *found;
}

const Tab* loading_tab(const UiState& ui) {
  return ui.of<TabLoading>().tab.empty() || ui.of<TabLoading>().tab != ui.tab
             ? nullptr
             : tab_named(ui.of<TabLoading>().tab);
}

void cancel_needs(const Tab& tab, LoadedState& s, UiState& ui) {
  ui.of<TabLoading>().tab.clear();
  tab.needs->cancelled(s, ui.of<TabLoading>().last_shown[tab.name]);
}

}  // namespace bscope
