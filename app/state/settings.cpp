#include "app/state/settings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

using Json = nlohmann::json;

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
  if (path.empty() || !std::filesystem::exists(path, ignored)) return s;
  std::ifstream in(path);
  const Json j = Json::parse(in, nullptr, false);
  if (!j.is_object()) {
    if (notice)
      *notice = say("The settings in {} cannot be read; the defaults are used, and kept when you change one.",
                    path);
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
               {"recent", s.recent}};
  // paths are whatever the file system has, not always UTF-8
  const std::string text = j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
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
