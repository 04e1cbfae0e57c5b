#include "app/session/settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
constexpr size_t most_bytes = 1 << 20;

template <class Member, class Parse>
void parsed(const Json& j, const char* key, Member& to, Parse parse) {
  if (!j.contains(key) || !j[key].is_string()) return;
  try {
    to = parse(j[key].get<std::string>());
  } catch (const std::invalid_argument&) {  // of a later version, or nonsense: the default stays
  }
}
void flag(const Json& j, const char* key, bool& to) {
  if (j.contains(key) && j[key].is_boolean()) to = j[key].get<bool>();
}
template <class T>
void number(const Json& j, const char* key, T& to, double least, double most) {
  if (!j.contains(key) || !j[key].is_number()) return;
  const double v = j[key].get<double>();
  if (std::isfinite(v) && v >= least && v <= most) to = T(v);
}
void list(const Json& j, const char* key, std::vector<std::string>& to, size_t most) {
  if (!j.contains(key) || !j[key].is_array()) return;
  for (const Json& e : j[key])
    if (e.is_string() && to.size() < most && e.get_ref<const std::string&>().size() < 4096)
      to.push_back(e.get<std::string>());
}

/// Throws BadFile.
Json read_object(const std::string& path) {
  Json j = Json::parse(as_text(read_file(path, most_bytes), path), nullptr, false);
  if (!j.is_object()) throw BadFile(path + " holds no settings: they are one JSON object");
  return j;
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
  if (error) throw std::system_error(error, "cannot write " + path);
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
  Json j;
  try {
    j = read_object(path);
  } catch (const BadFile& e) {
    if (notice)
      *notice = tr("The settings are the defaults: {}. When one is changed, what is there now is put aside.",
                   translated(e.what()));
    return s;
  }
  parsed(j, "theme", s.theme, parse_theme);
  parsed(j, "desk_theme", s.desk_theme, parse_theme);
  if (s.desk_theme == ThemeName::projector) s.desk_theme = ThemeName::dark;
  parsed(j, "language", s.language, parse_language);
  flag(j, "reduced_motion", s.reduced_motion);
  number(j, "speed", s.speed, 0.25, 4);
  number(j, "width", s.width, 640, 16384);
  number(j, "height", s.height, 360, 16384);
  number(j, "x", s.x, -32768, 32767);
  number(j, "y", s.y, -32768, 32767);
  flag(j, "placed", s.placed);
  flag(j, "maximised", s.maximised);
  list(j, "folded", s.folded, 64);
  list(j, "recent", s.recent, most_recent);
  list(j, "programs", s.programs, 256);
  parsed(j, "link_base", s.link_base, [](const std::string& text) { return text.substr(0, 2000); });
  return s;
}

void write_settings(const Settings& s, const std::string& path) {
  const Json j{{"theme", name_of(s.theme)},
               {"desk_theme", name_of(s.desk_theme)},
               {"language", name_of(s.language)},
               {"reduced_motion", s.reduced_motion},
               {"speed", s.speed},
               {"width", s.width},
               {"height", s.height},
               {"x", s.x},
               {"y", s.y},
               {"placed", s.placed},
               {"maximised", s.maximised},
               {"folded", s.folded},
               {"recent", s.recent},
               {"programs", s.programs},
               {"link_base", s.link_base}};
  // paths are whatever the file system has, not always UTF-8
  const std::string text = j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) throw std::system_error(error, "cannot write " + path);
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

void looks_of(const State& state, Settings& s) { looks(s) = looks(state); }

State with_looks(State state, const Settings& s) {
  looks(state) = looks(s);
  return state;
}

}  // namespace bscope
