#include "app/tabs/time/measuring.hpp"

#include <algorithm>
#include <tuple>

#include "app/measure/measurement_store.hpp"
#include "app/run/run.hpp"
#include "app/session/tab_services.hpp"
#include "app/tabs/time/in_place.hpp"
#include "app/tabs/time/sheet.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

/// Of one family: pictures follow one another quickly, and recordings are long.
Recording of_family(const Recording& run, const std::string& family) {
  Recording some{run.device,        run.driver,           run.date,
                 run.copy_gb_per_s, run.read_gb_per_s,    run.peak_gb_per_s,
                 run.clock_mhz,     run.memory_clock_mhz, run.notes};
  some.aside = run.aside;
  for (const Record& r : run.records)
    if (r.family() == family) some.records.push_back(r);
  return some;
}

/// The recordings of the open family, as long as nothing is measured or opened.
struct TimeShown {
  using Stamp = std::tuple<std::string, bool, uint64_t, int, const Recording*, size_t, const void*>;
  Stamp stamp;
  TimeInput in;
};

TimeInput gathered(MeasurementStore& bench, const std::string& family, const std::vector<Recording>* live) {
  TimeInput in;
  const Measurer::SweepProgress p = bench.measurer.progress();
  for (const Recording& r : live ? *live : p.live) in.live.push_back(of_family(r, family));
  for (const Recording& r : bench.recordings()) in.recorded.push_back(of_family(r, family));
  in.measuring = p.measuring;
  in.done = p.done;
  in.all = p.all;
  in.seconds_left = p.seconds_left;
  in.doing = p.doing;
  in.error = p.error;
  in.gpu = bench.gpu;
  in.no_gpu = bench.no_gpu;
  return in;
}

}  // namespace

const TimeInput& time_input(const LoadedState& s, TabServices& services, const std::vector<Recording>* live) {
  MeasurementStore& bench = services.of<MeasurementStore>();
  bench.look_around();
  const TimeState& look = s.of<TimeState>();
  const std::string kernel = s.run->trace.kernel, family = kernel.substr(0, kernel.find('/'));
  TimeShown& shown = services.of<TimeShown>();
  const TimeShown::Stamp stamp{family,
                               look.warm,
                               bench.measurer.version(),
                               bench.opened,
                               bench.recordings().data(),
                               bench.recordings().size(),
                               live};
  TimeInput& in = shown.in;
  if (shown.stamp != stamp) {
    in = gathered(bench, family, live);
    in.kernel = kernel;
    if (look.warm && has_warm(in)) in = warmed(std::move(in));
    shown.stamp = stamp;
  }
  in.kernel = kernel;
  in.measures = measures_here();
  if (const Algorithm* a = algorithm_of(kernel)) in.parameters = a->parameters;
  in.look = look;
  in.notice = bench.notice;
  in.awaited = bench.awaited;
  in.services = &services;
  if (look.facet == TimeFacet::roofline) {
    bench.work.want(time_work(in), services.wake);
    in.counted = bench.work.known();
  }
  return in;
}

void measure(LoadedState& s, TabServices& services, bool sweep) {
  if (shows_in_place(s)) return measure_in_place(s, services);
  const Algorithm* a = algorithm_of(s.run->trace.kernel);
  if (!a) return;
  const TimeState& look = s.of<TimeState>();
  MeasurePlan plan;
  const Family family = family_of(a->name);
  if (!family.timed()) return;
  plan.family = family.name;
  if (look.block) plan.request.block = look.block;
  plan.request.set = {{"type", look.type}};
  for (const auto& one : look.set) plan.request.set.push_back(one);
  if (look.skew > 0 && family.takes_keys) plan.request.skew = look.skew / 100.0;
  for (int p = sweep ? TimeState::least_log_n : look.log_n; p <= look.log_n; ++p)
    plan.sizes.push_back(1LL << p);
  MeasurementStore& bench = services.of<MeasurementStore>();
  bench.notice.clear();
  bench.measurer.start(std::move(plan), services.wake);
}

void save_times(LoadedState& s, TabServices& services, const char* ending) {
  if (shows_in_place(s)) return save_in_place(s, services);
  MeasurementStore& bench = services.of<MeasurementStore>();
  bench.look_around();
  const TimeState& look = s.of<TimeState>();
  std::vector<Recording> all;
  for (const Recording& r : bench.measurer.progress().live)
    if (is_open(look, r, false)) all.push_back(r);
  for (const Recording& r : bench.recordings())
    if (is_open(look, r, true)) all.push_back(r);
  try {
    if (all.empty()) {
      bench.notice = tr("Nothing is ticked that could be saved: measure first.");
    } else {
      std::string names;
      for (const auto& f : save_recordings(all, std::string("barrierscope-times") + ending))
        names += (names.empty() ? "" : tr(", ")) + f.string();
      bench.notice = tr("Saved as {}.", names);
    }
  } catch (const std::exception& e) { bench.notice = tr(message_of(e)); }
}

void open_times(LoadedState& s, TabServices& services, const std::string& path) {
  MeasurementStore& bench = services.of<MeasurementStore>();
  try {
    if (cuda::is_in_place(beginning_of(path, 200))) {
      if (!shows_in_place(s))
        throw BadFile(message("{} is of somebody's own program: open its .cu file first", path));
      open_in_place(s, services, path);
      s.tab = "time";
      forgive(s);
      return;
    }
    for (const Recording& r : bench.open(path)) {
      std::erase(s.of<TimeState>().closed, key_of(r));
      bench.notice = tr("Opened {}: {} points.", r.device, r.records.size());
    }
    s.tab = "time";
    forgive(s);
  } catch (const std::exception& e) { refuse(s, e, Where::file); }
}

void toggle(std::vector<std::string>& list, const std::string& key) {
  if (std::erase(list, key) == 0) list.push_back(key);
}

HitAction toggles(std::vector<std::string> TimeState::*list, const std::string& key) {
  return [list, key](LoadedState& s, float) { toggle(s.of<TimeState>().*list, key); };
}

void move_row(TimeState& look, int rows, int by) {
  if (rows == 0) return;
  look.row = look.row < 0 ? (by > 0 ? 0 : rows - 1) : std::clamp(look.row + by, 0, rows - 1);
}

}  // namespace bscope
