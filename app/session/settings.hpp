// What is kept from one start of the app to the next: looks, the window's place, what is folded, recent
// files.
#pragma once

#include <string>
#include <vector>

#include "app/session/state.hpp"

namespace bscope {

struct Settings {
  ThemeName theme = ThemeName::dark, desk_theme = ThemeName::dark;
  Language language = Language::en;
  bool reduced_motion = false;
  float speed = 1;
  int width = 1600, height = 900;  ///< of the window, in screen coordinates
  int x = 0, y = 0;                ///< its place, if `placed`
  bool placed = false, maximised = false;
  std::vector<std::string> folded;    ///< families of the kernel list
  std::vector<std::string> recent;    ///< files, the latest first
  std::vector<std::string> programs;  ///< folders whose own programs may run
  /// What copied links begin with: "https://HOST/PATH/", where the page is. Empty: "barrierscope:".
  std::string link_base;
  bool operator==(const Settings&) const = default;
};
inline constexpr size_t most_recent = 12;

/// $XDG_CONFIG_HOME/barrierscope/settings.json, or under ~/.config; empty if there is neither.
std::string settings_path();
/// Trusts nothing: what is missing or makes no sense is left at its default. No file: defaults. A file
/// that cannot be read, or something else in its place: defaults, and a sentence in `notice` (if given).
Settings read_settings(const std::string& path, std::string* notice = nullptr);
/// Written beside its place and renamed, whole or not at all; makes the folder. What stands there and cannot
/// be read is put aside first, as settings.json.unreadable. Throws std::system_error.
void write_settings(const Settings&, const std::string& path);

/// The file comes first; at most most_recent.
void remember(Settings&, const std::string& file);
/// The state's looks into the settings, and back.
void looks_of(const State&, Settings&);
State with_looks(State, const Settings&);

}  // namespace bscope
