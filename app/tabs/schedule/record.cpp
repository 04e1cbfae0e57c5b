#include "app/tabs/schedule/record.hpp"

namespace bscope {

ScheduleInput schedule_input(const State& s, Kit& kit) {
  TimelineBench& bench = kit.of<TimelineBench>();
  ScheduleInput in;
  in.kernel = s.run->trace.kernel;
  in.look = s.of<ScheduleState>();
  in.all = &bench.of(in.kernel);
  in.gpu = bench.gpu();
  in.error = bench.error();
  in.recording = bench.recording();
  in.kit = &kit;
  return in;
}

void record_schedule(State& s, Kit& kit) {
  TimelineBench& bench = kit.of<TimelineBench>();
  const Algorithm* a = algorithm_of(s.run->trace.kernel);
  if (!a || !family_of(a->name).timed() || bench.gpu().empty()) return;
  Request r;
  r.kernel = a->name;
  r.block = a->full_block;
  for (const auto& [name, value] : s.target.request.set) r.set.emplace_back(name, value);
  r.n = 1 << 20;
  bench.record(r, s.of<ScheduleState>().resident, kit.wake);
}

}  // namespace bscope
