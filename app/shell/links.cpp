// Links into the app and out of it.
#include <exception>

#include "app/links/link.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/files.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/ui_state.hpp"

namespace bscope {

void open_link(LoadedState& s, UiState& ui, const std::string& link) {
  ui.dispatcher.dispatch(
      s, [link, &runs = ui.runs](LoadedState& now) { now = with_link(std::move(now), link, runs); });
}

void copy_link(LoadedState& s, UiState& ui) {
  try {
    const std::string& base = ui.of<SettingsFile>().settings.link_base;
    const std::string link = (base.empty() ? "barrierscope:" : base) + "?" + link_of(s);
    ImGui::SetClipboardText(link.c_str());
    notify(ui, tr("Link copied ({} characters)", link.size()));
  } catch (const std::exception& e) { refuse(s, e, Where::file); }
}

namespace {

constexpr CommandGroup link_group{tr_noop("App")};
const RegisterCommands link_commands{
    link_group("link.copy", tr_noop("Copy a link to what you see"),
               {ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C}, copy_link),
};

}  // namespace

}  // namespace bscope
