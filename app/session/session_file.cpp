#include "app/session/session_file.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <system_error>

#include "app/run/cursor.hpp"
#include "app/run/run_store.hpp"
#include "app/run/target.hpp"
#include "app/session/state.hpp"
#include "app/session/stored_session.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_states.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/timing/meter.hpp"
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

/// --input may name a pipe; a session is untrusted and may not, because a pipe would block. What is missing
/// is reported when it is opened.
void refuse_stream(const std::string& path) {
  std::error_code missing;
  const auto type = std::filesystem::status(path, missing).type();
  using enum std::filesystem::file_type;
  if (path == "-") throw BadFile(message("{} is a pipe or a device: name a file", path));
  if (type == fifo || type == character || type == block || type == socket) open_to_read(path);
}

json to_json(const Target& t) {
  StoredTarget stored{.file = t.file, .request = {}, .device = t.device, .schedule = name_of(t.schedule)};
  if (!t.is_file()) stored.request = t.request;
  return to_fields_json(stored);
}

Target target_of(const json& j) {
  StoredTarget stored;
  from_fields_json(stored, j, "target");
  Target t;
  t.file = std::move(stored.file);
  if (stored.request) t.request = std::move(*stored.request);
  refuse_stream(t.request.input_file);
  t.device = stored.device == Device::gpu && gpu() ? Device::gpu : Device::cpu;
  try {
    t.schedule = parse_schedule(stored.schedule);
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
  StoredPlace place{.set_aside = {}, .tab = s.tab, .cursor = s.cursor};
  if (s.set_aside) place.set_aside = StoredSetAside{s.set_aside->request, s.set_aside->why};
  all.update(to_fields_json(place));
  StoredLooks stored;
  looks(stored) = looks(s);
  all["looks"] = to_fields_json(stored);
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
  const auto it = all.find("looks");
  if (it == all.end()) return;
  StoredLooks stored;
  looks(stored) = looks(s);
  from_fields_json(stored, *it, "looks");
  stored.speed = std::clamp(stored.speed, 0.25f, 4.0f);
  looks(s) = looks(stored);
}

/// Everything but target and looks, on the run that is open.
void read_places(LoadedState& s, const json& all) {
  StoredPlace place{.set_aside = {}, .tab = s.tab, .cursor = s.cursor};
  from_fields_json(place, all, {});
  s.set_aside.reset();
  if (place.set_aside) {
    refuse_stream(place.set_aside->request.input_file);
    s.set_aside = SetAside{std::move(place.set_aside->request), std::move(place.set_aside->why)};
  }
  s.tab = parse_tab(place.tab);
  place.cursor.phase = 1;
  s.cursor = fitted(*s.run, place.cursor);
  if (const auto tabs = all.find("tabs"); tabs != all.end()) {
    if (!tabs->is_object()) throw BadFile(message("\"{}\" is no object", "tabs"));
    s.tabs.each([&](detail::AnyTabState& m) {
      if (const auto it = tabs->find(m.saved_as()); it != tabs->end()) m.read(*it);
      m.fit(*s.run);
    });
    for (const Tab* tab : bscope::tabs())
      for (const Control& c : tab->controls) set_control(c, s, c.get(s));
    if (const auto it = tabs->find("prediction"); it != tabs->end())
      from_fields_json(s.prediction, *it, "prediction");
    s.prediction.fit(*s.run);
    if (const auto it = tabs->find("lesson"); it != tabs->end()) {
      // a file takes nothing away that the reader has done
      const std::string own = s.lesson.progress, own_answers = s.lesson.answers;
      from_fields_json(s.lesson, *it, "lesson");
      s.lesson.progress = merged_progress(own, s.lesson.progress);
      s.lesson.answers = merged_progress(own_answers, s.lesson.answers);
    }
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
  target = as_shown(s, std::move(target));
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
      if (const Target made = target_of(*it); !made.is_file() && gives(made.request, *run)) {
        s.target = as_shown(s, made);
        runs.put(s.target, result->opened);  // or it would be made again for the next that asks for it
      }
    read_places(s, all);
    return s;
  } catch (const BadFile& e) {
    return refused(plain, message("{} is open, but the place that was saved with it is not usable: {}.", path,
                                  e.message()));
  }
}

}  // namespace bscope
