// Time: what full-size runs cost, measured here and recorded elsewhere.
#include <imgui.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/measure/recorded.hpp"
#include "app/session/fields.hpp"
#include "app/shell/commands.hpp"
#include "app/tabs/time/picture.hpp"
#include "app/tabs/time/time_state.hpp"

namespace bscope {
namespace {

void look_around(Kept& kept) {
  if (kept.recorded) return;
  kept.recorded = recorded_curves();
  if (const auto found = gpu(&kept.no_gpu)) kept.gpu = found->name;
}

/// Of one family: pictures follow one another quickly, and recordings are long.
Recording of_family(const Recording& run, const std::string& family) {
  Recording some = run;
  std::erase_if(some.records, [&](const Record& r) { return r.family() != family; });
  return some;
}

}  // namespace

/// The recordings of the open family, as long as nothing is measured or opened.
struct TimeShown {
  using Stamp = std::tuple<std::string, bool, uint64_t, int, const Recording*, size_t>;
  Stamp stamp;
  TimeInput in;
};

namespace {

/// What the picture shows; the counted work comes when the roofline asks for it.
const TimeInput& input(const State& s, Kept& kept) {
  look_around(kept);
  const std::string kernel = s.run->trace.kernel, family = kernel.substr(0, kernel.find('/'));
  const auto& recorded = *kept.recorded;
  const TimeShown::Stamp stamp{
      family,          s.of<TimeState>().warm, kept.measurer->version(), kept.recordings_opened,
      recorded.data(), recorded.size()};
  if (!kept.time || kept.time->stamp != stamp) {
    kept.time = std::make_shared<TimeShown>(TimeShown{stamp, {}});
    TimeInput& in = kept.time->in;
    const Measurer::Progress p = kept.measurer->progress();
    in.kernel = kernel;
    for (const Recording& r : p.live) in.live.push_back(of_family(r, family));
    for (const Recording& r : recorded) in.recorded.push_back(of_family(r, family));
    in.measuring = p.measuring;
    in.done = p.done;
    in.all = p.all;
    in.seconds_left = p.seconds_left;
    in.doing = p.doing;
    in.error = p.error;
    in.gpu = kept.gpu;
    in.no_gpu = kept.no_gpu;
    if (s.of<TimeState>().warm && has_warm(in)) in = warmed(std::move(in));
  }
  TimeInput& in = kept.time->in;
  in.kernel = kernel;
  if (const Algorithm* a = algorithm_of(kernel)) in.parameters = a->parameters;
  in.look = s.of<TimeState>();
  in.notice = kept.time_notice;
  if (s.of<TimeState>().facet == TimeFacet::roofline) {
    kept.work->want(time_work(in), kept.wake);
    in.counted = kept.work->known();
  }
  return in;
}

void measure(State& s, Kept& kept, bool sweep) {
  const Algorithm* a = algorithm_of(s.run->trace.kernel);
  if (!a) return;
  const Family family = family_of(a->name);
  if (!family.timed()) return;
  MeasurePlan plan;
  plan.family = family.name;
  plan.request.block = s.of<TimeState>().block;
  plan.request.set = {{"type", s.of<TimeState>().type}};
  for (const auto& one : s.of<TimeState>().set) plan.request.set.push_back(one);
  if (s.of<TimeState>().skew > 0 && family.takes_keys) plan.request.skew = s.of<TimeState>().skew / 100.0;
  for (int p = sweep ? TimeState::least_log_n : s.of<TimeState>().log_n; p <= s.of<TimeState>().log_n; ++p)
    plan.sizes.push_back(1LL << p);
  kept.time_notice.clear();
  kept.measurer->start(std::move(plan), kept.wake);
}

void toggle(std::vector<std::string>& list, const std::string& key) {
  if (std::erase(list, key) == 0) list.push_back(key);
}

void move_row(State& s, Kept& kept, int by) {
  const TimeInput& in = input(s, kept);
  const int rows = int(time_series(in).size());
  if (rows == 0) return;
  s.of<TimeState>().row = s.of<TimeState>().row < 0 ? (by > 0 ? 0 : rows - 1)
                                                    : std::clamp(s.of<TimeState>().row + by, 0, rows - 1);
}

void toggle_row(State& s, Kept& kept) {
  const TimeInput& in = input(s, kept);
  const auto series = time_series(in);
  const auto rows = ladder_rows(in, series);
  if (s.of<TimeState>().row >= 0 && s.of<TimeState>().row < int(rows.size()))
    toggle(s.of<TimeState>().hidden, rows[size_t(s.of<TimeState>().row)]->key);
}

/// What is ticked, into the folder that the program was started in.
void save_times(State& s, Kept& kept, const char* ending) {
  look_around(kept);
  const TimeState& look = s.of<TimeState>();
  std::vector<Recording> all;
  for (const Recording& r : kept.measurer->progress().live)
    if (is_open(look, r, false)) all.push_back(r);
  for (const Recording& r : *kept.recorded)
    if (is_open(look, r, true)) all.push_back(r);
  try {
    if (all.empty()) {
      kept.time_notice = say("Nothing is ticked that could be saved: measure first.");
    } else {
      const auto files = save_recordings(all, std::string("barrierscope-times") + ending);
      std::string names;
      for (const auto& f : files) names += (names.empty() ? "" : ", ") + f.string();
      kept.time_notice = say("Saved as {}.", names);
    }
  } catch (const std::exception& e) { kept.time_notice = said(e.what()); }
}

constexpr std::pair<TimeFacet, const char*> facet_hits[] = {{TimeFacet::throughput, "facet:throughput"},
                                                            {TimeFacet::speedup, "facet:speedup"},
                                                            {TimeFacet::noise, "facet:noise"},
                                                            {TimeFacet::roofline, "facet:roofline"},
                                                            {TimeFacet::cycles, "facet:cycles"},
                                                            {TimeFacet::gpus, "facet:gpus"},
                                                            {TimeFacet::notes, "facet:notes"}};

void press(State& s, Kept& kept, const std::string& name) {
  const auto rest = [&](const char* prefix) { return name.substr(std::string(prefix).size()); };
  const auto key = [&](const char* prefix) {  // "recording:3:KEY"
    const std::string numbered = rest(prefix);
    return numbered.substr(numbered.find(':') + 1);
  };
  TimeState& look = s.of<TimeState>();
  if (name == "measure" || name == "measure one") return measure(s, kept, name == "measure");
  if (name == "stop") return kept.measurer->stop();
  if (name.starts_with("type:")) look.type = rest("type:");
  for (const auto& [facet, hit] : facet_hits)
    if (name == hit) look.facet = facet;
  if (name.starts_with("axis:")) look.axis = rest("axis:");
  if (name.starts_with("cache:")) look.warm = name == "cache:warm";
  if (name.starts_with("over:")) look.over_tbb = name == "over:tbb";
  if (name.starts_with("row:")) toggle(look.hidden, rest("row:"));
  if (name.starts_with("curve:")) toggle(look.hidden, rest("curve:"));
  if (name.starts_with("recording:")) toggle(look.closed, key("recording:"));
  if (name.starts_with("forget:")) kept.measurer->forget(key("forget:"));
  if (name == "export:json") save_times(s, kept, ".json");
  if (name == "export:csv") save_times(s, kept, ".csv");
  if (name == "import") browse(s, kept, Asks::open);
}

void slide(State& s, const Hit& hit, int value) {
  TimeState& look = s.of<TimeState>();
  if (hit.name == "n") look.log_n = value;
  if (hit.name == "block") look.block = 1 << value;
  if (hit.name == "skew") look.skew = value;
  if (!hit.name.starts_with("set:")) return;
  const std::string parameter = hit.name.substr(4);
  if (const Algorithm* a = algorithm_of(s.run->trace.kernel))
    for (const Parameter& p : a->parameters)
      if (p.name == parameter)
        if (const auto values = slider_values(p); value >= 0 && size_t(value) < values.size())
          look.set[parameter] = values[size_t(value)];
}

void show(View& v, Box area) {
  State& s = v.state;
  Kept& kept = v.kept;
  look_around(kept);
  uint64_t extra = kept.measurer->version() * 0x9e3779b97f4a7c15u ^ fingerprint(s.of<TimeState>());
  extra ^= (kept.work->version() + kept.recorded->size() * 1000 + uint64_t(kept.recordings_opened) * 100000) *
           0xff51afd7ed558ccdu;
  extra ^= std::hash<std::string>{}(kept.time_notice);
  const auto touched = v.picture(
      "time", area, [&](float w, float h) { return time_view(input(s, kept), v.theme, v.metrics, w, h); },
      {.extra = extra, .framed = false});
  if (touched.dragged && touched.dragged->what == Hit::other && touched.dragged->b > touched.dragged->a)
    slide(s, *touched.dragged, slider_value(*touched.dragged, touched.at.x));
  if (touched.clicked && touched.clicked->what == Hit::button)
    press(s, kept, std::string(touched.clicked->name));
  if (touched.wheel != 0 && touched.hovered && touched.hovered->name.starts_with("row:"))
    move_row(s, kept, touched.wheel > 0 ? -1 : 1);
}

}  // namespace

void open_times(State& s, Kept& kept, const std::string& path) {
  look_around(kept);
  try {
    for (Recording& r : load_recordings(path)) {
      // the same file again takes the place of its older self
      std::erase_if(*kept.recorded, [&](const Recording& old) { return key_of(old) == key_of(r); });
      std::erase(s.of<TimeState>().closed, key_of(r));
      kept.time_notice = say("Opened {}: {} points.", r.device, r.records.size());
      kept.recorded->push_back(std::move(r));
    }
    ++kept.recordings_opened;
    s.tab = "time";
    s.error.clear();
    s.error_at = Where::nowhere;
  } catch (const std::exception& e) {
    s.error = e.what();
    s.error_at = Where::file;
  }
}

namespace {

const RegisterPanel time_tab{{"time", show}};

bool measuring(const State&, const Kept& kept) { return kept.measurer->progress().measuring; }
void next_facet(State& s, Kept& kept) {
  auto known = time_facets(input(s, kept));
  if (s.theme == ThemeName::projector) known.insert(known.begin(), TimeFacet::throughput);
  const auto now = std::find(known.begin(), known.end(), s.of<TimeState>().facet);
  // throughput alone stands for what the tab chooses itself: the first is next to that
  s.of<TimeState>().facet = now == known.end()       ? known[std::min<size_t>(1, known.size() - 1)]
                            : now + 1 == known.end() ? known.front()
                                                     : *(now + 1);
}
void next_axis(State& s, Kept& kept) {
  const auto names = time_axes(input(s, kept));
  const auto now = std::find(names.begin(), names.end(), s.of<TimeState>().axis);
  s.of<TimeState>().axis = now == names.end() || now + 1 == names.end() ? names.front() : *(now + 1);
}
template <int By>
void change_n(State& s, Kept&) {
  s.of<TimeState>().log_n =
      std::clamp(s.of<TimeState>().log_n + By, TimeState::least_log_n, TimeState::most_log_n);
}
template <int By>
void change_block(State& s, Kept&) {
  s.of<TimeState>().block =
      std::clamp(By > 0 ? s.of<TimeState>().block * 2 : s.of<TimeState>().block / 2, 32, 1024);
}
void next_type(State& s, Kept&) {
  s.of<TimeState>().type = s.of<TimeState>().type == "int32"   ? "float"
                           : s.of<TimeState>().type == "float" ? "double"
                                                               : "int32";
}

constexpr OnTab on_tab{"time", later("Time")};
using C = RegisterCommand;
const C keys[]{
    C{on_tab("time.measure", later("Measure up to this length"),
             {ImGuiMod_Ctrl | ImGuiKey_Enter, ImGuiMod_Ctrl | ImGuiKey_KeypadEnter},
             [](State& s, Kept& k) { measure(s, k, true); })},
    C{on_tab("time.measure_one", later("Measure at this length only"),
             {ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Enter},
             [](State& s, Kept& k) { measure(s, k, false); })},
    C{{.id = "time.stop",
       .group = later("Time"),
       .title = later("Stop measuring, keep what is there"),
       .keys = {ImGuiKey_Escape},
       .run = [](State&, Kept& k) { k.measurer->stop(); },
       .tab = "time",
       .can = measuring}},
    C{on_tab(
        "time.next_row", later("Go down the ladder"), {ImGuiKey_DownArrow},
        [](State& s, Kept& k) { move_row(s, k, 1); }, true)},
    C{on_tab(
        "time.previous_row", later("Go up the ladder"), {ImGuiKey_UpArrow},
        [](State& s, Kept& k) { move_row(s, k, -1); }, true)},
    C{{.id = "time.toggle_row",
       .group = later("Time"),
       .title = later("Show or hide the ladder's curve"),
       .keys = {ImGuiKey_Enter},
       .run = toggle_row,
       .tab = "time",
       .can = [](const State& s, const Kept&) { return s.of<TimeState>().row >= 0; }}},
    C{on_tab("time.facet", later("Speed-up, noise or roofline"), {ImGuiKey_V}, next_facet)},
    C{on_tab("time.axis", later("Throughput against length, block or what was swept"), {ImGuiKey_X},
             next_axis)},
    C{on_tab("time.warm", later("Cold or warm times"), {},
             [](State& s, Kept&) { s.of<TimeState>().warm = !s.of<TimeState>().warm; })},
    C{on_tab("time.over", later("Speed-up over one core or all"), {ImGuiKey_O},
             [](State& s, Kept&) { s.of<TimeState>().over_tbb = !s.of<TimeState>().over_tbb; })},
    C{on_tab("time.longer", later("Double the length"), {ImGuiKey_Period}, change_n<1>, true)},
    C{on_tab("time.shorter", later("Halve the length"), {ImGuiKey_Comma}, change_n<-1>, true)},
    C{on_tab("time.more_threads", later("Double the block"), {}, change_block<1>)},
    C{on_tab("time.fewer_threads", later("Halve the block"), {}, change_block<-1>)},
    C{on_tab("time.type", later("Time another element type"), {}, next_type)},
    C{on_tab("time.json", later("Save the times as JSON"), {},
             [](State& s, Kept& k) { save_times(s, k, ".json"); })},
    C{on_tab("time.csv", later("Save the times as CSV"), {},
             [](State& s, Kept& k) { save_times(s, k, ".csv"); })},
};

}  // namespace
}  // namespace bscope
