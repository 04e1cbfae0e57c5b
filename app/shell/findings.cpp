#include "app/shell/findings.hpp"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/draw/theme.hpp"
#include "app/run/finding_groups.hpp"
#include "app/session/finding_steps.hpp"
#include "app/session/state.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/embedded.hpp"
#include "app/shell/header.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/watch/editor.hpp"
#include "app/shell/widgets.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

void go_to(LoadedState& s, UiState& ui, const FindingGroup& g) {
  s = to_finding(std::move(s), g);
  // a frame of another page shows what it was made for
  if (ui.of<EmbeddedView>().name.empty()) s.tab = main_tab;
  show_line_in_editor(ui, g.at.file, g.at.line, g.at.column);
}

/// Words over the width of the box that can be pressed.
bool wrapped_button(const View& v, const std::string& id, const std::string& words, Colour c, float indent) {
  const float wide = ImGui::GetContentRegionAvail().x - indent;
  const ImVec2 from = ImGui::GetCursorScreenPos(), at{from.x + indent, from.y};
  const ImVec2 size = ImGui::CalcTextSize(words.c_str(), nullptr, false, wide);
  ImGui::SetCursorScreenPos(at);
  const bool pressed = ImGui::InvisibleButton(id.c_str(), {std::max(1.0f, wide), std::max(1.0f, size.y)});
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const float edge = v.theme.px(3);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x - edge, at.y - edge},
                                              {at.x + wide + edge, at.y + size.y + edge},
                                              screen(v.theme.cell), v.theme.px(4));
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + wide);
  ImGui::PushStyleColor(ImGuiCol_Text, screen(c));
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::SetCursorScreenPos({from.x, ImGui::GetCursorScreenPos().y});
  return pressed;
}

/// "line 15: race on s": what the banner says in full stands here in short.
std::string name_of_finding(const FindingGroup& g, bool in_full) {
  const std::string words = tr(in_full || g.title.empty() ? g.sentences() : g.title);
  return g.at.line > 0 ? tr("Line {}: {}", g.at.line, words) : capitalised(words);
}

/// What the sentence leaves out: how many are alike, and what else there is to see.
std::string beside(const FindingGroup& g) {
  std::string all = capitalised(tr(g.extent));
  for (const FindingNote& note : g.notes)
    all += (all.empty() ? "" : "\n") + (note.at.line > 0 ? tr("Line {}: {}", note.at.line, tr(note.message))
                                                         : capitalised(tr(note.message)));
  return all;
}

void list_one(View& v, TroublesPanel& panel, size_t number, bool in_full) {
  const Theme& t = v.theme;
  const FindingGroup& g = panel.groups[number];
  const std::string id = "finding " + std::to_string(number);
  const bool here = panel.at == int(number);
  if (wrapped_button(v, id, name_of_finding(g, in_full), here ? t.race : t.ink, 0))
    go_to_finding(v.state, v.ui, number);
  if (const std::string more = beside(g); !more.empty()) write(more, t.ink2);
  if (g.consequences.empty()) return;
  const bool open = panel.unfolded.contains(number);
  const size_t count = g.consequences.size();
  if (wrapped_button(
          v, id + " consequences",
          (open ? "- " : "+ ") + tr_count(int(count), "{} consequence of it", "{} consequences of it"),
          t.ink2, t.px(14))) {
    if (open)
      panel.unfolded.erase(number);
    else
      panel.unfolded.insert(number);
  }
  if (!open) return;
  for (size_t k = 0; k < count; ++k)
    if (const FindingGroup& after = g.consequences[k];
        wrapped_button(v, id + " " + std::to_string(k), name_of_finding(after, true), t.ink, t.px(28)))
      go_to(v.state, v.ui, after);
}

bool has_findings(const LoadedState& s, const UiState& ui) {
  const TroublesPanel& panel = ui.of<TroublesPanel>();
  return has_errors_in_editor(s, ui) ||
         (panel.judged == s.run && !panel.groups.empty() && !s.lesson.line_asked);
}
template <int By>
void go_to_finding(LoadedState& s, UiState& ui) {
  go_to_next_finding(s, ui, By);
}
constexpr CommandGroup findings{tr_noop("Steps")};
const RegisterCommands finding_commands{
    when(has_findings,
         findings("finding.next", tr_noop("Go to the next finding"), {ImGuiKey_F8}, go_to_finding<1>)),
    when(has_findings, findings("finding.previous", tr_noop("Go to the previous finding"),
                                {ImGuiMod_Shift | ImGuiKey_F8}, go_to_finding<-1>)),
};

}  // namespace

void go_to_finding(LoadedState& s, UiState& ui, size_t number) {
  TroublesPanel& panel = ui.of<TroublesPanel>();
  if (panel.judged != s.run || number >= panel.groups.size()) return;
  panel.at = int(number);
  go_to(s, ui, panel.groups[number]);
}

void go_to_next_finding(LoadedState& s, UiState& ui, int by) {
  if (has_errors_in_editor(s, ui)) return show_next_error_in_editor(s, ui, by);
  const TroublesPanel& panel = ui.of<TroublesPanel>();
  const int count = int(panel.groups.size());
  if (!count) return;
  const int from = panel.at < 0 && by < 0 ? 0 : panel.at;
  go_to_finding(s, ui, size_t((from + by + count) % count));
}

const FindingGroup* finding_shown(const UiState& ui) {
  const TroublesPanel& panel = ui.of<TroublesPanel>();
  if (panel.groups.empty()) return nullptr;
  return &panel.groups[size_t(std::clamp(panel.at, 0, int(panel.groups.size()) - 1))];
}

void list_findings(View& v, Point at, bool whole) {
  const Theme& t = v.theme;
  TroublesPanel& panel = v.ui.of<TroublesPanel>();
  ImGui::SetNextWindowPos({at.x, at.y});
  const float room = ImGui::GetMainViewport()->Size.x - at.x - t.px(20);
  const float wide = std::min(t.px(t.projector() ? 900 : 620), room);
  ImGui::SetNextWindowSize({wide, 0});
  panel.is_open = begin_popup(t, "all troubles", {t.px(14), t.px(12)}, ImGuiWindowFlags_NoNav);
  if (!panel.is_open) return;
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
  const int shown = std::max(0, panel.at);
  for (size_t k = 0; k < panel.groups.size(); ++k) {
    list_one(v, panel, k, !whole || int(k) != shown);
    ImGui::Spacing();
  }
  const Troubles& told = panel.troubles;
  if (!told.not_judged.empty()) {
    if (!panel.groups.empty()) ImGui::Separator();
    write(capitalised(tr("not judged")), t.ink2);
    for (const Message& why : told.not_judged) write(capitalised(tr(why)), t.ink);
  }
  const std::string& fix = told.fix;
  if (!fix.empty()) {
    if (!panel.groups.empty() || !told.not_judged.empty()) ImGui::Separator();
    write(tr("The fix"), t.thread);
    write(tr(fix), t.ink);
  }
  ImGui::EndPopup();
}

}  // namespace bscope
