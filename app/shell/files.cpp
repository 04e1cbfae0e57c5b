// Files into the app and out of it.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "app/links/link.hpp"
#include "app/session/session_file.hpp"
#include "app/session/typed.hpp"
#include "app/shell/panel.hpp"

namespace bscope {

namespace {

std::string proposed(const LoadedState& s, Asks asks) {
  return asks == Asks::save ? file_name_of(s.run->trace.kernel) + ".bscope" : "";
}

/// Where the desktop has no dialogs: the palette takes a path.
void ask_in_palette(const LoadedState& s, Shell& shell, Asks asks) {
  shell.palette.asks = asks;
  shell.palette.typed = proposed(s, asks);
  shell.wants = Popup::palette;
}

}  // namespace

void ask_for_file(LoadedState& s, UiState& kept, Asks asks) {
  if (asks == Asks::save) return browse(s, kept, asks);
  ask_in_palette(s, kept.shell, asks);
}

void browse(LoadedState& s, UiState& kept, Asks asks) {
  Shell& shell = kept.shell;
  if (shell.dialog) return;  // one at a time
  if (shell.ask_desktop) shell.dialog = shell.ask_desktop(asks, proposed(s, asks));
  shell.dialog_asks = asks;
  shell.dialog_opened = std::chrono::steady_clock::now();
  if (!shell.dialog) ask_in_palette(s, shell, asks);
}

void open_path(LoadedState& s, UiState& kept, const std::string& path) {
  s.asks_to_run.clear();  // what was opened before asks no more
  if (is_link(path)) return open_link(s, kept, path);
  kept.dispatcher.dispatch(s, [&kept, path](LoadedState& now) {
    Opening opening = opened_path(std::move(now), path, kept.runs);
    now = std::move(opening.state);
    if (now.awaits || now.error_at == Where::file || !now.asks_to_run.empty()) return;
    remember(kept.shell.settings, home_expanded(path));
    if (!opening.recording.empty()) {
      for (const Tab* tab : tabs())
        if (tab->reads && tab->reads(opening.beginning))
          tab->open_recording(now, kept.services, opening.recording);
      return;
    }
    if (!opening.notice.empty()) notify(kept, opening.notice);
  });
}

void answer_program(LoadedState& s, UiState& kept, bool may) {
  const std::string file = std::exchange(s.asks_to_run, {});
  if (!may || file.empty() || !compiles_programs) return;
  std::error_code ignored;
  const std::string folder = std::filesystem::absolute(file, ignored).parent_path().string();
  allow_programs_in(folder);
  auto& kept_folders = kept.shell.settings.programs;
  if (std::ranges::find(kept_folders, folder) == kept_folders.end()) kept_folders.push_back(folder);
  open_path(s, kept, file);
}

void save_path(LoadedState& s, UiState& kept, const std::string& typed) {
  std::string path = home_expanded(typed);
  if (!path.ends_with(".bscope")) path += ".bscope";
  try {
    save_session(s, path);
    remember(kept.shell.settings, path);
    std::error_code ignored;
    const auto whole = std::filesystem::absolute(path, ignored);
    const bool in_browser = !kept.shell.downloads.empty();
    notify(kept, tr("Saved as {}", in_browser ? whole.filename().string() : ignored ? path : whole.string()));
  } catch (const std::exception& e) { refuse(s, e, Where::file); }
}

void poll_dialog(LoadedState& s, UiState& kept) {
  Shell& shell = kept.shell;
  if (!shell.dialog) return;
  const auto path = shell.dialog->chosen();
  if (!path) return;
  shell.dialog.reset();
  if (path->empty()) {
    if (std::chrono::steady_clock::now() - shell.dialog_opened < shell.dialog_at_least)
      ask_in_palette(s, shell, shell.dialog_asks);
    return;
  }
  if (shell.dialog_asks == Asks::save)
    save_path(s, kept, *path);
  else
    open_path(s, kept, *path);
}

}  // namespace bscope
