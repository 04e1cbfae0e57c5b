// Notices at the lower edge: what was done, for a few seconds; what was refused, until it is taken away.
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "app/draw/theme.hpp"
#include "app/run/run_store.hpp"
#include "app/run/target.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/shell/compiler_fetch.hpp"
#include "app/shell/fonts.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/painter.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/parameter_list.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/watch/editor.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/run_spec.hpp"

namespace bscope {
namespace {

/// Whether the error is shown beside what made it.
bool shown_in_place(const View& v) {
  const LoadedState& s = v.state;
  switch (s.error_at) {
    case Where::nowhere: return false;
    case Where::file: return s.unbuilt && edits_program(v.ui);
    case Where::parameters: return v.ui.of<ParameterList>().shown_in == ImGui::GetFrameCount();
    default: return true;
  }
}

/// What is being made in the background, and takes so long that progress should be shown.
struct Underway {
  std::string words;
  float share = 0;
};
std::optional<Underway> underway(const UiState& ui) {
  const auto percent = [](float share) { return std::clamp(int(share * 100), 0, 99); };
  const Target* const t = ui.dispatcher.awaited();
  if (const auto loading = t ? ui.runs.loading(*t) : std::nullopt; loading && loading->is_late) {
    const float share = loading->share;
    if (const float fetched = ui.of<CompilerFetch>().share; t->is_program() && fetched < 1)
      return Underway{tr("The compiler is being fetched: {}%", percent(fetched)), fetched};
    const RunSpec& r = t->request;
    const std::string file = std::filesystem::path(t->file).filename().string();
    return Underway{t->is_file() ? tr("{} is being opened: {}%", file, percent(share))
                    : r.n        ? tr("{} with n = {} is being run: {}%", r.kernel, *r.n, percent(share))
                                 : tr("{} is being run: {}%", r.kernel, percent(share)),
                    share};
  }
  if (const Tab* tab = loading_tab(ui))
    if (const auto loading = ui.runs.loading_beside(t); loading && loading->is_late)
      return Underway{tab->needs->progress(percent(loading->share)), loading->share};
  return {};
}

}  // namespace

bool give_up_run(LoadedState& s, UiState& ui) {
  if (ui.dispatcher.waits()) {
    ui.dispatcher.cancel();
    return true;
  }
  if (const Tab* tab = loading_tab(ui)) {
    cancel_needs(*tab, s, ui);
    return true;
  }
  return false;
}

void notify(UiState& ui, const std::string& words) {
  auto& all = ui.of<Notices>().all;
  std::erase_if(all, [&](const Notice& n) { return n.words == words; });
  // about 15 letters a second can be read
  all.push_back({words, ImGui::GetTime() + 2.5 + double(words.size()) / 15});
  if (all.size() > 3) all.erase(all.begin());
}

void show_notices(View& v, Box window) {
  const Theme& t = v.theme;
  auto& notices = v.ui.of<Notices>().all;
  std::erase_if(notices, [](const Notice& n) { return n.until <= ImGui::GetTime(); });
  const bool error = !v.state.error.empty() && !shown_in_place(v);
  const auto under_way = underway(v.ui);
  if (notices.empty() && !error && !under_way) return;

  const float size = t.px(t.projector() ? 22 : t.size_label), pad = t.px(14),
              width = std::min(t.px(t.projector() ? 900 : 640), window.w - t.px(16));
  ImGui::SetNextWindowPos({window.x + window.w / 2, window.bottom() - t.px(t.projector() ? 118 : 142)},
                          ImGuiCond_Always, {0.5f, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  constexpr auto flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground |
                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                         ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoDocking;
  if (ImGui::Begin("notices", nullptr, flags)) {
    ImGui::PushFont(nullptr, drawn_size(size));
    ImDrawList* list = ImGui::GetWindowDrawList();
    /// One box with its words; returns whether it was clicked.
    const auto box = [&](const char* id, const std::string& words, Colour edge, const char* action) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float room = width - 2 * pad - (action ? v.width(tr(action), size, Font::text_bold) + pad : 0);
      const ImVec2 text = ImGui::CalcTextSize(words.c_str(), nullptr, false, room);
      const float w = text.x + width - room, h = text.y + pad * 1.2f;
      ImGui::InvisibleButton(id, {w, h});
      const bool clicked = ImGui::IsItemClicked() || ImGui::IsItemActivated();
      list->AddRectFilled(at, {at.x + w, at.y + h}, screen(t.dark() ? t.selected : t.panel), t.px(6));
      list->AddRect(at, {at.x + w, at.y + h}, screen(edge), t.px(6), t.px(2));
      list->AddText(nullptr, 0, {at.x + pad, at.y + pad * 0.6f}, screen(t.ink), words.c_str(), nullptr, room);
      if (action)
        v.text({at.x + w - pad, at.y + h / 2}, tr(action), size, t.ink2, Font::text_bold, Align::right);
      return clicked;
    };
    if (under_way) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (box("give up", under_way->words, t.read, tr_noop("Cancel (Esc)"))) give_up_run(v.state, v.ui);
      // how far it is, along the lower edge
      const ImVec2 end = ImGui::GetItemRectMax();
      const float edge = t.px(2), tall = t.px(5), length = (end.x - at.x - 2 * edge) * under_way->share;
      list->AddRectFilled({at.x + edge, end.y - edge - tall}, {at.x + edge + length, end.y - edge},
                          screen(t.read), t.px(2));
    }
    for (size_t i = 0; i < notices.size(); ++i)
      if (box(("notice" + std::to_string(i)).c_str(), notices[i].words, t.thread, nullptr))
        notices[i].until = 0;
    if (error && box("dismiss", tr(v.state.error), t.race, tr_noop("Dismiss"))) forgive(v.state);
    ImGui::PopFont();
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace bscope
