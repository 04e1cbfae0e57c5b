// Time: what full-size runs cost, measured here and recorded elsewhere.
#include "app/session/tab.hpp"

#include <algorithm>

#include "app/measure/in_place_bench.hpp"
#include "app/measure/measurement_store.hpp"
#include "app/run/titles.hpp"
#include "app/session/tab_services.hpp"
#include "app/session/tab_state_of.hpp"
#include "app/tabs/time/in_place.hpp"
#include "app/tabs/time/measuring.hpp"
#include "app/tabs/time/sheet.hpp"
#include "engine/analysis/run.hpp"
#include "engine/timing/timeline.hpp"

namespace bscope {
namespace {

Picture picture_of(const TabScene& scene, float w, float h) {
  if (shows_in_place(scene.state))
    return in_place_view(in_place_input(scene.state, scene.services), scene.theme, scene.metrics, w, h);
  return time_view(time_input(scene.state, scene.services, scene.live), scene.theme, scene.metrics, w, h);
}

uint64_t changes(const TabScene& scene) {
  if (shows_in_place(scene.state)) return in_place_version(scene.state, scene.services);
  MeasurementStore& bench = scene.services.of<MeasurementStore>();
  bench.look_around();
  return bench.version();
}

Caption caption(const LoadedState& s) {
  if (shows_in_place(s)) return {full_title(s.run->trace.kernel), tr("timed in place on a GPU"), {}, {}};
  const TimeState& look = s.of<TimeState>();
  return {full_title(s.run->trace.kernel), tr("at full size, N = 2^{}, {}", look.log_n, look.type), {}, {}};
}

bool measuring(const LoadedState&, const TabServices& services) {
  return services.of<MeasurementStore>().measurer.progress().measuring ||
         services.of<InPlaceBench>().measuring();
}
bool can_measure(const LoadedState&, const TabServices&) { return measures_here(); }
void stop(LoadedState&, TabServices& services) {
  services.of<MeasurementStore>().measurer.stop();
  services.of<InPlaceBench>().stop();
}

/// The one after `now` in the list, around its end; the first where it is not there.
template <class T>
T after(const std::vector<T>& all, const T& now) {
  const auto at = std::ranges::find(all, now);
  return at == all.end() || at + 1 == all.end() ? all.front() : *(at + 1);
}
void next_facet(LoadedState& s, TabServices& services) {
  auto known = time_facets(curves_asked(time_input(s, services)));
  // throughput alone stands for what the tab chooses itself: the first is next to that
  TimeFacet& facet = s.of<TimeState>().facet;
  if (s.theme == ThemeName::projector) known.insert(known.begin(), TimeFacet::throughput);
  facet =
      std::ranges::count(known, facet) ? after(known, facet) : known[std::min<size_t>(1, known.size() - 1)];
}
void next_axis(LoadedState& s, TabServices& services) {
  s.of<TimeState>().axis = after(time_axes(curves_asked(time_input(s, services))), s.of<TimeState>().axis);
}
void next_type(LoadedState& s, TabServices&) {
  s.of<TimeState>().type = after<std::string>({"int32", "float", "double"}, s.of<TimeState>().type);
}
template <int By>
void row(LoadedState& s, TabServices& services) {
  move_row(s.of<TimeState>(), int(curves_over_n(curves_asked(time_input(s, services))).size()), By);
}
void toggle_row(LoadedState& s, TabServices& services) {
  const TimeInput& in = time_input(s, services);
  const auto series = curves_over_n(curves_asked(in));
  const auto rows = ladder_rows(in, series);
  TimeState& look = s.of<TimeState>();
  if (look.row < int(rows.size())) toggle(look.hidden, rows[size_t(look.row)]->key);
}

const RegisterTab time_tab{
    {.name = "time",
     .title = tr_noop("Time"),
     .key = '6',
     .looks = tr_noop("Look at full-size times"),
     .state = remembers<TimeState>(),
     .picture = picture_of,
     .narrow_height = 1700,
     .changes = changes,
     .caption = caption,
     .reads = [](std::string_view beginning) { return !is_timeline(beginning); },
     .open_recording = open_times,
     .controls = {time_sliders().begin(), time_sliders().end()},
     .commands = {{"measure",
                   tr_noop("Measure up to this length"),
                   {"Ctrl+Enter"},
                   [](LoadedState& s, TabServices& services) { measure(s, services, true); },
                   false,
                   can_measure},
                  {"measure_one",
                   tr_noop("Measure at this length only"),
                   {"Ctrl+Shift+Enter"},
                   [](LoadedState& s, TabServices& services) { measure(s, services, false); },
                   false,
                   can_measure},
                  {"stop", tr_noop("Stop measuring, keep what is there"), {"Esc"}, stop, false, measuring},
                  {"next_row", tr_noop("Go down the ladder"), {"Down"}, row<1>, true},
                  {"previous_row", tr_noop("Go up the ladder"), {"Up"}, row<-1>, true},
                  {"toggle_row",
                   tr_noop("Show or hide the ladder's curve"),
                   {"Enter"},
                   toggle_row,
                   false,
                   [](const LoadedState& s, const TabServices&) { return s.of<TimeState>().row >= 0; }},
                  {"facet", tr_noop("Speed-up, noise or roofline"), {"V"}, next_facet},
                  {"axis", tr_noop("Throughput against length, block or what was swept"), {"X"}, next_axis},
                  {"warm",
                   tr_noop("Cold or warm times"),
                   {},
                   [](LoadedState& s, TabServices&) { s.of<TimeState>().warm = !s.of<TimeState>().warm; }},
                  {"over",
                   tr_noop("Speed-up over one core or all"),
                   {"O"},
                   [](LoadedState& s, TabServices&) {
                     s.of<TimeState>().over_tbb = !s.of<TimeState>().over_tbb;
                   }},
                  {"type", tr_noop("Time another element type"), {}, next_type},
                  {"json",
                   tr_noop("Save the times as JSON"),
                   {},
                   [](LoadedState& s, TabServices& services) { save_times(s, services, ".json"); }},
                  {"csv",
                   tr_noop("Save the times as CSV"),
                   {},
                   [](LoadedState& s, TabServices& services) { save_times(s, services, ".csv"); }}},
     .plays = false,
     .has_own_lengths = true,
     .shows_recordings = true}};

}  // namespace
}  // namespace bscope
