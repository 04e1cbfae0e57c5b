#include "app/state/watch_steps.hpp"

#include <algorithm>

#include "engine/analysis/substeps.hpp"

namespace bscope {
namespace {

int substeps_at(const State& s, int step) {
  return count_substeps(s.run->trace, s.run->report.flow, s.run->report.flow.intervals[size_t(step)]);
}

State stand_at(State s, int step, int substep) {
  s = to_step(std::move(s), step);
  s.cursor.substep = substep;
  s.playing = false;
  return s;
}

}  // namespace

State next_substep(State s) {
  const int here = step_of(*s.run, s.cursor), all = steps(*s.run);
  if (s.cursor.substep + 1 < substeps_at(s, here)) {
    const int next = s.cursor.substep + 1;
    return stand_at(std::move(s), here, next);
  }
  for (int step = here + 1; step < all; ++step)
    if (substeps_at(s, step) > 0) return stand_at(std::move(s), step, 0);
  return s;
}

State previous_substep(State s) {
  const int here = step_of(*s.run, s.cursor);
  if (s.cursor.substep > 0) {
    const int before = s.cursor.substep - 1;
    return stand_at(std::move(s), here, before);
  }
  for (int step = s.cursor.substep < 0 ? here : here - 1; step >= 0; --step)
    if (const int all = substeps_at(s, step); all > 0) return stand_at(std::move(s), step, all - 1);
  return s;
}

State to_launch(State s, int launch) {
  s.cursor.launch = std::clamp(launch, 0, int(s.run->trace.launches.size()) - 1);
  s.cursor.block = std::clamp(s.cursor.block, 0, s.run->trace.launches[size_t(s.cursor.launch)].grid - 1);
  s.cursor.interval = 0;
  // what was chosen belongs to the launch that was left
  s.cursor.cell.reset();
  s.cursor.thread = s.cursor.array = -1;
  const int step = step_of(*s.run, s.cursor);
  return to_step(std::move(s), step);
}

State all_blocks(State s) {
  s.watch.all_blocks = !s.watch.all_blocks;
  s.watch.all_arrays = false;
  return s;
}
State all_arrays(State s) {
  s.watch.all_arrays = !s.watch.all_arrays;
  s.watch.all_blocks = false;
  return s;
}

State next_array(State s, int by) {
  const Trace& trace = s.run->trace;
  if (trace.launches.empty()) return s;
  // -1: the step's own choice
  std::vector<int> ids{-1};
  for (size_t k = 0; k < trace.launches[size_t(s.cursor.launch)].shared.size(); ++k)
    ids.push_back(first_shared + int(k));
  for (size_t k = 0; k < trace.arrays.size(); ++k)
    if (trace.arrays[k].size > 0) ids.push_back(int(k));
  const int all = int(ids.size());
  const int at = int(std::find(ids.begin(), ids.end(), s.cursor.array) - ids.begin()) % all;
  s.cursor.array = ids[size_t((at + by + all) % all)];
  s.watch.all_arrays = false;
  return s;
}

}  // namespace bscope
