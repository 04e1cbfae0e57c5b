// Two sheets over the window: all keys, and what the words mean. Both are pictures.
#include "app/shell/sheets.hpp"

#include <imgui.h>

#include <algorithm>

#include "app/parts/key_sheet.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/popups.hpp"
#include "app/shell/ui_state.hpp"
#include "app/words/glossary.hpp"

namespace bscope {
namespace {

std::vector<KeyGroup> groups_of(const LoadedState& s) {
  std::vector<KeyGroup> out;
  for (const Command* command : listed_commands(s.tab)) {
    const Command& c = *command;
    if (!c.tab.empty() && c.tab != s.tab) continue;  // keys that do nothing here
    const std::string title(tr(c.group));
    auto group = std::find_if(out.begin(), out.end(), [&](const KeyGroup& g) { return g.title == title; });
    if (group == out.end()) group = out.insert(out.end(), {title, {}});
    group->rows.push_back({key_names(c), tr(c.title)});
  }
  for (KeyGroup& g : out)
    std::stable_partition(g.rows.begin(), g.rows.end(), [](const KeyRow& r) { return !r.keys.empty(); });
  return out;
}

std::vector<Definition> definitions() {
  std::vector<Definition> out;
  for (const Term& term : glossary()) out.push_back({tr(term.word), tr(term.meaning)});
  return out;
}

void show_sheet(View& v, Box window, Popup which, const char* id) {
  const Theme& t = v.theme;
  auto& sheet = v.ui.of<KeySheetPages>();
  if (v.ui.of<Popups>().wants == which) {
    ImGui::OpenPopup(id);
    sheet.page = 0;
  }
  const float margin = t.px(28), w = window.w - 2 * margin, h = window.h - 2 * margin;
  ImGui::SetNextWindowPos({window.x + margin, window.y + margin});
  if (!begin_popup(t, id, {0, 0}, ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoMove)) return;
  if (ImGui::IsKeyPressed(ImGuiKey_RightArrow) || ImGui::IsKeyPressed(ImGuiKey_PageDown)) ++sheet.page;
  if (ImGui::IsKeyPressed(ImGuiKey_LeftArrow) || ImGui::IsKeyPressed(ImGuiKey_PageUp))
    sheet.page = std::max(0, sheet.page - 1);
  const std::string made_for = std::string(id) + std::to_string(sheet.page) + name_of(t.name) +
                               name_of(v.state.language) + std::to_string(int(w)) + "x" +
                               std::to_string(int(h)) + v.state.tab;
  if (sheet.made_for != made_for) {
    sheet.made_for = made_for;
    sheet.sheet = which == Popup::keys ? key_sheet(groups_of(v.state), sheet.page, t, v.metrics, w, h)
                                       : glossary_sheet(definitions(), sheet.page, t, v.metrics, w, h);
    sheet.page = sheet.sheet.page;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  v.painter.draw(sheet.sheet.picture, at, ImGui::GetWindowDrawList());
  // a click anywhere turns the page, or closes the last one
  if (ImGui::InvisibleButton("sheet", {w, h})) {
    if (sheet.page + 1 < sheet.sheet.pages)
      ++sheet.page;
    else
      ImGui::CloseCurrentPopup();
  }
  const bool again = which == Popup::keys && !ImGui::IsWindowAppearing() &&
                     (ImGui::IsKeyPressed(ImGuiKey_F1) || ImGui::IsKeyPressed(ImGuiKey_Slash));
  if (ImGui::IsKeyPressed(ImGuiKey_Escape) || again) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace

void show_sheets(View& v, Box window) {
  show_sheet(v, window, Popup::keys, "key sheet");
  show_sheet(v, window, Popup::glossary, "glossary");
}

}  // namespace bscope
