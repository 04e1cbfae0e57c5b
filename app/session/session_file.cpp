#include "app/session/session_file.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <system_error>

#include "app/session/tab.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* format_name = "barrierscope.session/1";
constexpr size_t longest_text = size_t(64) << 20;

std::string parse_tab(const std::string& name) {
  if (const Tab* tab = tab_named(name)) return tab->name;
  throw BadFile(message("there is no tab \"{}\"", name));
}

// ---- what the run was made from --------------------------------------------------------------------------

/// The member, if it is there.
template <class T>
void read(const json& from, const char* name, T& into) {
  if (const auto it = from.find(name); it != from.end()) from_fields_json(into, *it, name);
}

/// --input may name a pipe; a session is untrusted and may not, because a pipe would block. What is missing
/// is reported when it is opened.
void refuse_stream(const std::string& path) {
  std::error_code missing;
  const auto type = std::filesystem::status(path, missing).type();
  using enum std::filesystem::file_type;
  if (path == "-") throw BadFile(message("{} is a pipe or a device: name a file", path));
  if (type == fifo || type == character || type == block || type == socket) open_to_read(path);
}

RunSpec request_of(const json& j) {
  if (!j.is_object()) throw BadFile(message("\"{}\" is no object", "request"));
  RunSpec r;
  from_fields_json(r, j, {});
  refuse_stream(r.input_file);
  return r;
}

json to_json(const Target& t) {
  json j = t.is_file() ? json{{"file", t.file}} : json{{"request", to_fields_json(t.request)}};
  j["device"] = t.device == Device::gpu ? "gpu" : "cpu";
  j["schedule"] = bscope::name_of(t.schedule);
  return j;
}

Target target_of(const json& j) {
  if (!j.is_object()) throw BadFile(message("\"{}\" is no object", "target"));
  Target t;
  std::string device = "cpu", schedule = "auto";
  read(j, "file", t.file);
  if (const auto it = j.find("request"); it != j.end()) t.request = request_of(*it);
  read(j, "device", device);
  read(j, "schedule", schedule);
  if (device != "cpu" && device != "gpu") throw BadFile(message("there is no device \"{}\"", device));
  t.device = device == "gpu" && gpu() ? Device::gpu : Device::cpu;
  try {
    t.schedule = parse_schedule(schedule);
  } catch (const UsageError& e) { throw BadFile(e.message()); }
  return t;
}

/// Whether this request gives exactly this run's input and parameters. Made without running it.
bool gives(const RunSpec& r, const Run& run) {
  const Trace& t = run.trace;
  const auto& input = run.report.input;
  if (r.kernel != t.kernel || !r.input_file.empty()) return false;
  // nothing large is made because a file says so
  if (r.n && !r.image && *r.n != (long long)input.size()) return false;
  if (r.values && r.values->size() != input.size()) return false;
  try {
    const Algorithm& a = find(r.kernel);
    const Problem p = make_problem(a, r);
    if (p.data != input) return false;
    return std::all_of(t.parameters.begin(), t.parameters.end(), [&](const auto& parameter) {
      const auto& [name, value] = parameter;
      if (name == "block") return value == std::to_string(p.block);
      if (name == "n") return value == std::to_string(p.n());
      const auto it = p.set.find(name);
      return it != p.set.end() && it->second == value;
    });
  } catch (const std::exception&) { return false; }
}

// ---- the text --------------------------------------------------------------------------------------------

}  // namespace

json target_json(const Target& t) { return to_json(t); }
Target target_in(const json& j) { return target_of(j); }

json session_json(const State& s) {
  json all{{"format", format_name}};
  all["target"] = to_json(s.target);
  if (s.set_aside)
    all["set_aside"] = {{"request", to_fields_json(s.set_aside->request)}, {"why", s.set_aside->why.json()}};
  all["tab"] = s.tab;
  all["cursor"] = to_fields_json(s.cursor);
  all["looks"] = {{"theme", name_of(s.theme)},
                  {"desk_theme", name_of(s.desk_theme)},
                  {"language", name_of(s.language)},
                  {"reduced_motion", s.reduced_motion},
                  {"speed", s.speed}};
  json& tabs = all["tabs"];
  s.tabs.each([&](const detail::AnyTabState& m) { m.write(tabs[m.saved_as()]); });
  tabs["prediction"] = to_fields_json(s.prediction);
  tabs["lesson"] = to_fields_json(s.lesson);
  return all;
}

namespace {

/// ASCII: everything else is escaped, so that it is readable wherever it is pasted.
std::string text_of(const json& j) { return json_text(j, 1, true); }

json parsed(const std::string& text) {
  if (text.size() > longest_text) throw BadFile(message("it is far too long"));
  json all = try_parse_json(text).value_or(json());
  if (!all.is_object()) throw BadFile(message("it is not JSON"));
  const auto format = all.find("format");
  if (format == all.end() || *format != format_name)
    throw BadFile(message("its format is not {}", format_name));
  return all;
}

void read_looks(State& s, const json& all) {
  const auto looks = all.find("looks");
  if (looks == all.end()) return;
  if (!looks->is_object()) throw BadFile(message("\"{}\" is no object", "looks"));
  std::string theme = name_of(s.theme), desk = name_of(s.desk_theme), language = name_of(s.language);
  read(*looks, "theme", theme);
  read(*looks, "desk_theme", desk);
  read(*looks, "language", language);
  try {
    s.theme = parse_theme(theme);
    s.desk_theme = parse_theme(desk);
    s.language = parse_language(language);
  } catch (const UsageError& e) { throw BadFile(e.message()); }
  read(*looks, "reduced_motion", s.reduced_motion);
  read(*looks, "speed", s.speed);
  s.speed = std::clamp(s.speed, 0.25f, 4.0f);
}

/// Everything but target and looks, on the run that is open.
void read_places(LoadedState& s, const json& all) {
  s.set_aside.reset();
  if (const auto it = all.find("set_aside"); it != all.end()) {
    if (!it->is_object()) throw BadFile(message("\"{}\" is no object", "set_aside"));
    s.set_aside.emplace();
    if (const auto request = it->find("request"); request != it->end())
      s.set_aside->request = request_of(*request);
    read(*it, "why", s.set_aside->why);
  }
  std::string tab = s.tab;
  read(all, "tab", tab);
  s.tab = parse_tab(tab);
  Cursor cursor = s.cursor;
  read(all, "cursor", cursor);
  cursor.phase = 1;
  s.cursor = fitted(*s.run, cursor);
  if (const auto tabs = all.find("tabs"); tabs != all.end()) {
    if (!tabs->is_object()) throw BadFile(message("\"{}\" is no object", "tabs"));
    s.tabs.each([&](detail::AnyTabState& m) {
      if (const auto it = tabs->find(m.saved_as()); it != tabs->end()) m.read(*it);
      m.fit(*s.run);
    });
    for (const Tab* tab : bscope::tabs())
      for (const Control& c : tab->controls) set_control(c, s, c.get(s));
    read(*tabs, "prediction", s.prediction);
    s.prediction.fit(*s.run);
    read(*tabs, "lesson", s.lesson);
  }
}

LoadedState refused(LoadedState s, Message why) {
  refuse(s, std::move(why), Where::file);
  return s;
}

}  // namespace

LoadedState with_places(LoadedState s, const json& session) {
  read_places(s, session);
  return s;
}

LoadedState without_paths(LoadedState s) {
  s.tabs.each([](detail::AnyTabState& m) { m.forget_paths(); });
  return s;
}

std::string session_text(const State& s) { return text_of(session_json(s)); }

LoadedState with_session(LoadedState s, const std::string& text, RunStore& runs) {
  const LoadedState before = s;
  try {
    const json all = parsed(text);
    if (const auto it = all.find("target"); it != all.end()) {
      const Target target = target_of(*it);
      if (!s.run || to_json(target) != to_json(s.target)) {
        s = opened(std::move(s), target, Where::file, runs);
        if (s.awaits) return s;
        if (s.error_at == Where::file) return refused(before, s.error);
      }
    }
    if (!s.run) throw BadFile(message("it names no run"));
    read_looks(s, all);
    read_places(s, all);
    return s;
  } catch (const BadFile& e) {
    return refused(before, message("This session is not usable: {}.", e.message()));
  }
}

void save_session(const LoadedState& s, const std::string& path) {
  LoadedState shared = without_paths(s);
  shared.target.file.clear();
  RunSpec& request = shared.target.request;
  if (s.target.is_file()) {  // what to open is the file itself
    request = RunSpec{};
    request.kernel = s.run->trace.kernel;
  }
  json all = session_json(shared);
  all.erase("looks");
  save(s.run->trace, path, text_of(all));
}

LoadedState load_session(LoadedState s, const std::string& path, RunStore& runs) {
  Target target;
  target.file = path;
  const std::optional<RunResult> result = runs.find(target);
  if (!result) {
    s.awaits = Awaited{std::move(target)};
    return s;
  }
  try {
    s = with_run(s, target, result->value());
  } catch (const std::exception& e) {
    refuse(s, e, Where::file);
    return s;
  }
  const auto& [run, program, text] = result->opened;
  if (text.empty()) return s;
  const LoadedState plain = s;
  try {
    const json all = parsed(text);
    if (const auto it = all.find("target"); it != all.end())
      if (const Target made = target_of(*it); !made.is_file() && gives(made.request, *run)) s.target = made;
    read_places(s, all);
    return s;
  } catch (const BadFile& e) {
    return refused(plain, message("{} is open, but the place that was saved with it is not usable: {}.", path,
                                  e.message()));
  }
}

}  // namespace bscope
