#include "app/session/settings.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/session/state.hpp"
#include "app/session/system_theme.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
constexpr size_t most_bytes = 1 << 20;

/// Throws BadFile.
nlohmann::ordered_json read_object(const std::string& path) {
  const auto j = try_parse_json(as_text(read_file(path, most_bytes), path));
  if (!j || !j->is_object()) throw BadFile(message("{} holds no settings: they are one JSON object", path));
  return *j;
}

/// An unreadable file may still be of use: it is renamed, not overwritten.
void put_aside_unreadable(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return;
  try {
    read_object(path);
    return;
  } catch (const BadFile&) {  // reported when it was read
  }
  std::string aside = path + ".unreadable";
  for (int k = 2; fs::symlink_status(aside, error).type() != fs::file_type::not_found && k < 100; ++k)
    aside = path + ".unreadable-" + std::to_string(k);
  fs::rename(path, aside, error);
  if (error) throw SystemError(message("cannot write {}", path), error);
}

}  // namespace

std::string settings_path() {
  const auto set = [](const char* name) {
    const char* v = std::getenv(name);
    return std::string(v ? v : "");
  };
  // the base directory rules: a path that is not absolute is ignored
  if (const std::string xdg = set("XDG_CONFIG_HOME"); xdg.starts_with('/'))
    return xdg + "/barrierscope/settings.json";
  const std::string home = set("HOME");
  return home.empty() ? "" : home + "/.config/barrierscope/settings.json";
}

Settings read_settings(const std::string& path, std::string* notice) {
  Settings s;
  std::error_code ignored;
  if (path.empty() || fs::symlink_status(path, ignored).type() == fs::file_type::not_found) return s;
  try {
    from_fields_json(s, read_object(path), {}, Reading::lenient);
  } catch (const BadFile& e) {
    if (notice)
      *notice = tr("The settings are the defaults: {}. When one is changed, what is there now is put aside.",
                   tr(e.message()));
    return s;
  }
  if (s.desk_theme == ThemeName::projector) s.desk_theme = ThemeName::dark;
  return s;
}

void write_settings(const Settings& s, const std::string& path) {
  // paths are whatever the file system has, not always UTF-8
  const std::string text = json_text(to_fields_json(s), 2) + "\n";
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) throw SystemError(message("cannot write {}", path), error);
  put_aside_unreadable(path);
  write_whole(path, text);
}

void remember(Settings& s, const std::string& file) {
  std::error_code failed;
  const auto whole = std::filesystem::absolute(file, failed);
  const std::string path = failed ? file : whole.lexically_normal().string();
  std::erase(s.recent, path);
  s.recent.insert(s.recent.begin(), path);
  if (s.recent.size() > most_recent) s.recent.resize(most_recent);
}

void keep_choices(LoadedState& state, Settings& s) {
  /// Returns whether it is the user's choice of this visit.
  const auto keep = [](const auto& now, auto& borrowed, auto& kept) {
    if (borrowed == now) return false;
    const bool chosen = borrowed.has_value() || kept != now;
    borrowed.reset();
    kept = now;
    return chosen;
  };
  if (keep(state.theme, state.borrowed.theme, s.theme)) s.theme_chosen = true;
  keep(state.desk_theme, state.borrowed.desk_theme, s.desk_theme);
  keep(state.language, state.borrowed.language, s.language);
  keep(state.dialect, state.borrowed.dialect, s.dialect);
  s.reduced_motion = state.reduced_motion;
  s.speed = state.speed;
  if (s.lesson_progress != state.lesson.progress) s.lesson_progress = state.lesson.progress;
}

LoadedState with_choices(LoadedState state, const Settings& s) {
  looks(state) = looks(s);
  state.lesson.progress = s.lesson_progress;
  // settings of earlier versions do not say who has chosen: any theme but the default was a choice
  if (!s.theme_chosen && s.theme == ThemeName::dark && system_theme != s.theme)
    state = with_borrowed_looks(std::move(state), name_of(system_theme), {}, false);
  return state;
}

}  // namespace bscope
