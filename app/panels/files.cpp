// Files into the app and out of it.
#include <algorithm>
#include <exception>

#include "app/cli/time.hpp"
#include "app/panels/panel.hpp"
#include "app/state/session_file.hpp"
#include "app/state/typed.hpp"

namespace bscope {

void ask_for_file(State& s, Kept& kept, Asks asks) {
  Shell& shell = kept.shell;
  if (shell.dialog) return;  // one at a time
  const std::string name = s.run->trace.kernel.substr(s.run->trace.kernel.find('/') + 1) + ".bscope";
  if (shell.ask_desktop) {
    shell.dialog_asks = asks;
    shell.dialog = shell.ask_desktop(asks, asks == Asks::save ? name : "");
    if (shell.dialog) return;
  }
  // no dialogs on this desktop: the palette takes a path
  shell.palette.asks = asks;
  shell.palette.typed = asks == Asks::save ? name : "";
  shell.wants = Popup::palette;
}

void open_path(State& s, Kept& kept, const std::string& path) {
  Opening opening = opened_path(std::move(s), path);
  s = std::move(opening.state);
  if (s.error_at == Where::file) return;
  remember(kept.shell.settings, home_expanded(path));
  if (!opening.recording.empty()) {
    open_times(s, kept, opening.recording);
    return;
  }
  if (!opening.notice.empty()) notify(kept, opening.notice);
}

void save_path(State& s, Kept& kept, const std::string& typed) {
  std::string path = home_expanded(typed);
  if (!path.ends_with(".bscope")) path += ".bscope";
  try {
    save_session(s, path);
    remember(kept.shell.settings, path);
    notify(kept, say("Saved as {}", path));
  } catch (const std::exception& e) {
    s.error = e.what();
    s.error_at = Where::file;
  }
}

void poll_dialog(State& s, Kept& kept) {
  Shell& shell = kept.shell;
  if (!shell.dialog) return;
  const auto path = shell.dialog->chosen();
  if (!path) return;
  shell.dialog.reset();
  if (path->empty()) return;
  if (shell.dialog_asks == Asks::save)
    save_path(s, kept, *path);
  else
    open_path(s, kept, *path);
}

}  // namespace bscope
