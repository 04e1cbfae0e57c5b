// What is kept from one start of the app to the next: looks, the window's place, what is folded, recent
// files.
#pragma once

#include <string>
#include <vector>

#include "app/draw/theme.hpp"
#include "app/words/words.hpp"
#include "engine/trace/fields.hpp"

namespace bscope {

struct LoadedState;
struct State;

inline constexpr size_t most_recent = 12;

struct Settings {
  ThemeName theme = ThemeName::dark, desk_theme = ThemeName::dark;
  bool theme_chosen = false;  ///< by the user; else the system's is shown where it is known (system_theme)
  Language language = Language::en;
  bool reduced_motion = false;
  float speed = 1;
  int width = 1600, height = 900;  ///< of the window, in screen coordinates
  int x = 0, y = 0;                ///< its place, if `placed`
  bool placed = false, maximised = false;
  bool dialect = false;               ///< kernels of the catalog are shown in the dialect, not in CUDA
  std::vector<std::string> folded;    ///< families of the kernel list
  std::vector<std::string> recent;    ///< files, the latest first
  std::vector<std::string> programs;  ///< folders whose own programs may run
  std::string lesson_progress;        ///< what is done of all lessons (app/lessons/progress.hpp)
  /// What copied links begin with: "https://HOST/PATH/", where the page is. Empty: "barrierscope:".
  std::string link_base;
  bool operator==(const Settings&) const = default;
  /// In the order of the file.
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    const Field theme{.among = names_up_to(ThemeName::projector)};
    visit("desk_theme", s.desk_theme, theme);
    visit("dialect", s.dialect);
    visit("folded", s.folded, Field{.at_most = 64});
    visit("height", s.height, Field{.least = 360, .most = 16384});
    visit("language", s.language, Field{.among = names_up_to(Language::zh)});
    visit("lesson_progress", s.lesson_progress, Field{.at_most = 100'000});
    visit("link_base", s.link_base, Field{.at_most = 2000});
    visit("maximised", s.maximised);
    visit("placed", s.placed);
    visit("programs", s.programs, Field{.at_most = 256});
    visit("recent", s.recent, Field{.at_most = most_recent});
    visit("reduced_motion", s.reduced_motion);
    visit("speed", s.speed, Field{.least = 0.25, .most = 4});
    visit("theme", s.theme, theme);
    visit("theme_chosen", s.theme_chosen);
    visit("width", s.width, Field{.least = 640, .most = 16384});
    visit("x", s.x, Field{.least = -32768, .most = 32767});
    visit("y", s.y, Field{.least = -32768, .most = 32767});
  }
};

/// $XDG_CONFIG_HOME/barrierscope/settings.json, or under ~/.config; empty if there is neither.
std::string settings_path();
/// Trusts nothing: what is missing or makes no sense is left at its default. No file: defaults. A file
/// that cannot be read, or something else in its place: defaults, and a sentence in `notice` (if given).
Settings read_settings(const std::string& path, std::string* notice = nullptr);
/// Written beside its place and renamed, whole or not at all; makes the folder. What stands there and cannot
/// be read is put aside first, as settings.json.unreadable. Throws SystemError.
void write_settings(const Settings&, const std::string& path);

/// The file comes first; at most most_recent.
void remember(Settings&, const std::string& file);
/// What the user has chosen and done in the state into the settings: looks that are not borrowed, and what is
/// done of lessons.
void keep_choices(LoadedState&, Settings&);
/// The state as the settings say. The system's theme, where they say none, is borrowed as a link's is.
LoadedState with_choices(LoadedState, const Settings&);

}  // namespace bscope
