// Commands of the app itself: palette, sheets, labels, undo, language, files; and what lies over the tabs.
#include "app/shell/shell.hpp"

#include <utility>

#include "app/links/link.hpp"
#include "app/session/history.hpp"
#include "app/session/input.hpp"
#include "app/session/typed.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/files.hpp"
#include "app/shell/labels.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/palette.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/popups.hpp"
#include "app/shell/sheets.hpp"
#include "app/shell/ui_state.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

template <Popup P>
void popup(LoadedState&, UiState& ui) {
  ui.of<Popups>().wants = P;
}
void palette(LoadedState&, UiState& ui) {
  ui.of<Palette>().asks = Asks::anything;
  ui.of<Palette>().typed.clear();
  ui.of<Popups>().wants = Popup::palette;
}
template <Asks A>
void files(LoadedState& s, UiState& ui) {
  ask_for_file(s, ui, A);
}
void labels(LoadedState&, UiState& ui) {
  ui.of<Labels>() = {};
  ui.of<Labels>().on = true;
}
/// A run that is long gone is made again: that goes on only where nothing was done meanwhile.
template <LoadedState (History::*Go)(LoadedState, RunStore&)>
void go(LoadedState& s, UiState& ui) {
  ui.dispatcher.dispatch(
      s, [&ui](LoadedState& now) { now = (ui.of<History>().*Go)(std::move(now), ui.runs); },
      [asked = s](const LoadedState& now) { return same_place(asked, now); });
}
bool can_undo(const LoadedState&, const UiState& ui) { return ui.of<History>().can_undo(); }
bool can_redo(const LoadedState&, const UiState& ui) { return ui.of<History>().can_redo(); }
void other_language(LoadedState& s, UiState&) {
  s.language = s.language == Language::en ? Language::zh : Language::en;
}
void reduced_motion(LoadedState& s, UiState& ui) {
  s.reduced_motion = !s.reduced_motion;
  if (s.reduced_motion) s.cursor.phase = 1;
  notify(ui, std::string(s.reduced_motion ? tr("Steps change at once") : tr("Steps move")));
}
void own_input(LoadedState& s, UiState& ui) {
  Target t = s.target;
  t.request = with_own_input(t, *s.run);
  s = opened(std::move(s), t, Where::nowhere, ui.runs);
}
bool has_input(const LoadedState& s, const UiState&) {
  return !s.target.is_file() && !is_own_input(s.target.request);
}
void paste(LoadedState& s, UiState& ui) {
  const char* text = ImGui::GetClipboardText();
  if (text && is_link(text)) return open_link(s, ui, text);
  try {
    const auto values = numbers_in(text ? text : "");
    if (values.empty()) throw UsageError(message("There are no numbers to paste: copy some first."));
    ui.dispatcher.dispatch(s, [&ui,
                               values](LoadedState& now) {  // the clipboard may hold something else by then
      now = with_values(std::move(now), values, Where::file, ui.runs);
      if (!now.awaits && now.error_at != Where::file)
        notify(ui, tr_count(values.size(), "{} value is the input now", "{} values are the input now"));
    });
  } catch (const UsageError& e) { refuse(s, e, Where::file); }
}

constexpr auto ctrl = ImGuiMod_Ctrl, shift = ImGuiMod_Shift;
constexpr CommandGroup app{tr_noop("App")};
const RegisterCommands app_commands{
    app("palette", tr_noop("Search commands, kernels, files and terms"),
        {ctrl | ImGuiKey_K, ctrl | ImGuiKey_P}, palette),
    app("keys", tr_noop("Show all keys"), {shift | ImGuiKey_Slash, ImGuiKey_F1}, popup<Popup::keys>),
    app("labels", tr_noop("Put letters on everything that can be pressed"), {ImGuiKey_F}, labels),
    app("kernel", tr_noop("Choose kernel and parameters"), {ImGuiKey_K}, popup<Popup::kernel>),
    when(can_undo, app("undo", tr_noop("Undo"), {ctrl | ImGuiKey_Z}, go<&History::undo>, true)),
    when(can_redo, app("redo", tr_noop("Redo"), {ctrl | shift | ImGuiKey_Z, ctrl | ImGuiKey_Y},
                       go<&History::redo>, true)),
    app("file.open", tr_noop("Open a session, a trace, numbers or an image"), {ctrl | ImGuiKey_O},
        files<Asks::open>),
    app("file.save", tr_noop("Save this session"), {ctrl | ImGuiKey_S}, files<Asks::save>),
    when(has_input, app("input.own", tr_noop("Go back to the kernel's own input"), {}, own_input)),
    app("paste", tr_noop("Paste numbers as input, or a link to open"), {ctrl | ImGuiKey_V}, paste),
    app("language", tr_noop("Switch between English and Chinese"), {ctrl | ImGuiKey_L}, other_language),
    app("reduced_motion", tr_noop("Let steps move, or change at once"), {}, reduced_motion),
    app("glossary", tr_noop("Look up what the words mean"), {}, popup<Popup::glossary>),
    app("options", tr_noop("Change language, looks and motion"), {}, popup<Popup::options>),
    app("place", tr_noop("Choose launch and block"), {}, popup<Popup::place>),
};

}  // namespace

void show_shell(View& v, Box window) {
  show_popovers(v, window);
  show_consent(v, window);
  show_palette(v, window);
  show_sheets(v, window);
  // what a popup asked for is opened when that popup has gone
  v.ui.of<Popups>().wants = std::exchange(v.ui.of<Popups>().after, Popup::none);
  show_notices(v, window);
}

}  // namespace bscope
