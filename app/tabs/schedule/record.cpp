#include "app/tabs/schedule/record.hpp"

#include "app/measure/timeline_bench.hpp"
#include "app/run/run.hpp"
#include "app/run/run_store.hpp"
#include "app/session/state.hpp"
#include "app/session/tab_services.hpp"
#include "app/tabs/schedule/picture.hpp"
#include "app/tabs/schedule/schedule_state.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/timing/timeline.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

/// The kernel as the catalog has it, if a GPU can record it; else null.
const Algorithm* recordable(const LoadedState& s) {
  const Algorithm* a = algorithm_of(s.run->trace.kernel);
  return a && family_of(a->name).timed() ? a : nullptr;
}

}  // namespace

ScheduleInput schedule_input(const LoadedState& s, TabServices& services) {
  TimelineBench& bench = services.of<TimelineBench>();
  ScheduleInput in;
  in.kernel = s.run->trace.kernel;
  in.recordable = recordable(s) != nullptr;
  in.look = s.of<ScheduleState>();
  in.all = &bench.of(in.kernel);
  if (s.run->trace.dialect == Dialect::cuda)
    in.file = s.target.file.substr(s.target.file.find_last_of('/') + 1);
  else
    in.gpu = bench.gpu();
  in.error = bench.error();
  in.awaited = bench.awaited();
  in.recording = bench.recording();
  in.services = &services;
  return in;
}

void open_timeline(LoadedState& s, TabServices& services, const std::string& path) {
  try {
    Timeline timeline = load_timeline(path);
    const std::string kernel = timeline.kernel;
    if (!algorithm_of(kernel))
      throw BadFile(message("{} is a run of {}, which is no kernel of this program", path, kernel));
    if (s.run->trace.kernel != kernel) {
      s = with_kernel(std::move(s), kernel, Where::file, services.of<RunStore>());
      if (s.awaits) return;
    }
    s.of<ScheduleState>().resident = timeline.limit;
    services.of<TimelineBench>().open(std::move(timeline));
    s.tab = "schedule";
    if (s.error_at == Where::file) forgive(s);
  } catch (const std::exception& e) { refuse(s, e, Where::file); }
}

void record_schedule(LoadedState& s, TabServices& services) {
  TimelineBench& bench = services.of<TimelineBench>();
  const Algorithm* a = recordable(s);
  if (!a || bench.gpu().empty()) return;
  RunSpec r;
  r.kernel = a->name;
  for (const auto& [name, value] : s.target.request.set) r.set.emplace_back(name, value);
  r.n = 1 << 20;
  bench.record(r, s.of<ScheduleState>().resident, services.wake);
}

}  // namespace bscope
