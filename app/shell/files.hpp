// Files that are opened and saved: by the desktop's dialogs, or by a path that is typed.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/shell/palette.hpp"

namespace bscope {

/// An open file dialog of the desktop.
struct FileDialog {
  virtual ~FileDialog() = default;
  /// Nothing while it is open; then the path, empty if nothing was chosen. Does not wait.
  virtual std::optional<std::string> chosen() = 0;
};

struct FileDialogs {
  /// In a browser: the folder whose files it hands out as downloads. No videos then.
  std::string downloads;
  /// The desktop's file dialogs; null: paths are typed.
  std::function<std::unique_ptr<FileDialog>(Asks, const std::string& suggestion)> ask_desktop;
  std::unique_ptr<FileDialog> dialog;  ///< the one that is open
  Asks asks = Asks::open;
  std::chrono::steady_clock::time_point opened;
  /// One that is gone sooner could not be shown: no user closes one so fast.
  std::chrono::milliseconds at_least{250};
};

/// Saves by the desktop's dialog if there is one, else by a path that is typed. Opens from a list: the
/// dialog, the files opened last, the examples that come with the program, or a path that is typed.
void ask_for_file(LoadedState&, UiState&, Asks);
/// The desktop's dialog itself; where there is none, a path is typed.
void browse(LoadedState&, UiState&, Asks);
/// Looks whether a dialog has been answered.
void poll_dialog(LoadedState&, UiState&);
/// Opens a file as what it is, or a link; a refusal or a notice says so.
void open_path(LoadedState&, UiState&, const std::string& path);
void save_path(LoadedState&, UiState&, const std::string& path);
/// Opens a link, pasted or from the page; a refusal says so.
void open_link(LoadedState&, UiState&, const std::string& link);
/// The link of what is on screen goes into the clipboard; a notice says so.
void copy_link(LoadedState&, UiState&);
/// The program that asks to run, and all of its folder, may or may not.
void answer_program(LoadedState&, UiState&, bool may);

}  // namespace bscope
