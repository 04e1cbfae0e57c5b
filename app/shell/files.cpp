// Files into the app and out of it.
#include "app/shell/files.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "app/links/link.hpp"
#include "app/run/own_program.hpp"
#include "app/session/session_file.hpp"
#include "app/session/tab.hpp"
#include "app/session/typed.hpp"
#include "app/shell/lesson.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/palette.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/popups.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/ui_state.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {

namespace {

std::string proposed(const LoadedState& s, Asks asks) {
  return asks == Asks::save ? file_name_of(s.run->trace.kernel) + ".bscope" : "";
}

/// Where the desktop has no dialogs: the palette takes a path.
void ask_in_palette(const LoadedState& s, UiState& ui, Asks asks) {
  ui.of<Palette>().asks = asks;
  ui.of<Palette>().typed = proposed(s, asks);
  ui.of<Popups>().wants = Popup::palette;
}

}  // namespace

void ask_for_file(LoadedState& s, UiState& ui, Asks asks) {
  if (asks == Asks::save) return browse(s, ui, asks);
  ask_in_palette(s, ui, asks);
}

void browse(LoadedState& s, UiState& ui, Asks asks) {
  FileDialogs& d = ui.of<FileDialogs>();
  if (d.dialog) return;  // one at a time
  if (d.ask_desktop) d.dialog = d.ask_desktop(asks, proposed(s, asks));
  d.asks = asks;
  d.opened = std::chrono::steady_clock::now();
  if (!d.dialog) ask_in_palette(s, ui, asks);
}

void open_path(LoadedState& s, UiState& ui, const std::string& path) {
  s.asks_to_run.clear();  // what was opened before asks no more
  if (is_link(path)) return open_link(s, ui, path);
  ui.dispatcher.dispatch(s, [&ui, path](LoadedState& now) {
    Opening opening = opened_path(std::move(now), path, ui.runs);
    now = std::move(opening.state);
    if (now.awaits || now.error_at == Where::file || !now.asks_to_run.empty()) return;
    std::string whole = home_expanded(path);
    while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
    remember(ui.of<SettingsFile>().settings, whole);
    if (!opening.course.empty()) return show_course(now, ui, opening.course);
    if (!opening.recording.empty()) {
      for (const Tab* tab : tabs())
        if (tab->reads && tab->reads(opening.beginning))
          tab->open_recording(now, ui.services, opening.recording);
      return;
    }
    if (!opening.notice.empty()) notify(ui, opening.notice);
  });
}

void answer_program(LoadedState& s, UiState& ui, bool may) {
  const std::string file = std::exchange(s.asks_to_run, {});
  if (!may || file.empty() || !runs_programs) return;
  std::error_code ignored;
  const std::string folder = std::filesystem::absolute(file, ignored).parent_path().string();
  allow_programs_in(folder);
  auto& kept_folders = ui.of<SettingsFile>().settings.programs;
  if (std::ranges::find(kept_folders, folder) == kept_folders.end()) kept_folders.push_back(folder);
  if (is_program_of_lesson(s, ui, file))
    ui.dispatcher.dispatch(s, [&ui](LoadedState& now) { return_to_lesson(now, ui); });
  else
    open_path(s, ui, file);
}

void save_path(LoadedState& s, UiState& ui, const std::string& typed) {
  std::string path = home_expanded(typed);
  if (!path.ends_with(".bscope")) path += ".bscope";
  try {
    save_session(s, path);
    remember(ui.of<SettingsFile>().settings, path);
    std::error_code ignored;
    const auto whole = std::filesystem::absolute(path, ignored);
    const bool in_browser = !ui.of<FileDialogs>().downloads.empty();
    notify(ui, tr("Saved as {}", in_browser ? whole.filename().string() : ignored ? path : whole.string()));
  } catch (const std::exception& e) { refuse(s, e, Where::file); }
}

void poll_dialog(LoadedState& s, UiState& ui) {
  FileDialogs& d = ui.of<FileDialogs>();
  if (!d.dialog) return;
  const auto path = d.dialog->chosen();
  if (!path) return;
  d.dialog.reset();
  if (path->empty()) {
    if (std::chrono::steady_clock::now() - d.opened < d.at_least) ask_in_palette(s, ui, d.asks);
    return;
  }
  if (d.asks == Asks::save)
    save_path(s, ui, *path);
  else
    open_path(s, ui, *path);
}

}  // namespace bscope
