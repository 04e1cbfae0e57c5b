#include "app/tabs/watch/steps.hpp"

#include <algorithm>

#include "app/run/cuda_text.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/substeps.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

constexpr int most_why_levels = 64;

int substeps_at(const LoadedState& s, int step) { return count_substeps(s.run->report, size_t(step)); }

LoadedState stand_at(LoadedState s, int step, int substep) {
  s = to_step(std::move(s), step);
  s.cursor.substep = substep;
  s.playing = false;
  return s;
}

}  // namespace

LoadedState turn_barrier(LoadedState s, int line) {
  const Trace& trace = s.run->trace;
  const int source = trace.launches[size_t(s.cursor.launch)].source;
  if ((s.target.is_file() && !s.target.is_program()) || s.target.device != Device::cpu ||
      size_t(source) >= trace.sources.size()) {
    refuse(s, message("only a run that is made here, on the CPU, can be made without a barrier"),
           Where::nowhere);
    return s;
  }
  const std::string& path = trace.sources[size_t(source)].path;
  std::vector<LeftOut> barriers{{path.substr(path.rfind('/') + 1), line}};
  // the schedule names the dialect's lines; those without a barrier of this run are refused there
  if (trace.dialect == Dialect::ours_in_cuda) barriers = cuda_text_of(trace.kernel)->barriers_at(line);
  s.wanted = s.target;
  for (const LeftOut& barrier : barriers) s.wanted->schedule = with_turned(s.wanted->schedule, barrier);
  return s;
}

LoadedState show_dialect(LoadedState s, bool dialect) {
  s.dialect = dialect;
  s.wanted = s.target;
  return s;
}

LoadedState next_substep(LoadedState s) {
  const int here = step_of(*s.run, s.cursor), all = steps(*s.run);
  if (s.cursor.substep + 1 < substeps_at(s, here)) {
    const int next = s.cursor.substep + 1;
    return stand_at(std::move(s), here, next);
  }
  for (int step = here + 1; step < all; ++step)
    if (substeps_at(s, step) > 0) return stand_at(std::move(s), step, 0);
  return s;
}

LoadedState previous_substep(LoadedState s) {
  const int here = step_of(*s.run, s.cursor);
  if (s.cursor.substep > 0) {
    const int before = s.cursor.substep - 1;
    return stand_at(std::move(s), here, before);
  }
  for (int step = s.cursor.substep < 0 ? here : here - 1; step >= 0; --step)
    if (const int all = substeps_at(s, step); all > 0) return stand_at(std::move(s), step, all - 1);
  return s;
}

LoadedState to_launch(LoadedState s, int launch) {
  s.cursor.launch = std::clamp(launch, 0, int(s.run->trace.launches.size()) - 1);
  s.cursor.block = std::clamp(s.cursor.block, 0, s.run->trace.launches[size_t(s.cursor.launch)].grid - 1);
  s.cursor.interval = 0;
  // what was chosen belongs to the launch that was left
  s.cursor.cell.reset();
  s.cursor.thread = s.cursor.array = -1;
  const int step = step_of(*s.run, s.cursor);
  return to_step(std::move(s), step);
}

LoadedState all_blocks(LoadedState s) {
  s.of<WatchState>().all_blocks = !s.of<WatchState>().all_blocks;
  s.of<WatchState>().all_arrays = false;
  return s;
}
LoadedState all_arrays(LoadedState s) {
  s.of<WatchState>().all_arrays = !s.of<WatchState>().all_arrays;
  s.of<WatchState>().all_blocks = false;
  return s;
}

namespace {

/// The run's steps that read, write or compute in this line of a source, or begin at its barrier.
std::vector<bool> steps_of_line(const Run& run, int source, int line) {
  const DataflowGraph& flow = run.report.flow;
  const auto& launches = run.trace.launches;
  std::vector<bool> all(flow.intervals.size());
  const auto of_source = [&](int launch) { return launches[size_t(launch)].source == source; };
  for (const Node& n : flow.nodes) {
    if (n.line != line || !of_source(n.launch)) continue;
    Cursor at;
    at.launch = n.launch;
    at.block = n.thread / launches[size_t(n.launch)].block;
    at.interval = n.interval;
    all[size_t(step_of(run, at))] = true;
  }
  for (size_t k = 1; k < all.size(); ++k) {
    const Interval &before = flow.intervals[k - 1], &now = flow.intervals[k];
    if (before.line == line && before.launch == now.launch && before.block == now.block &&
        of_source(now.launch))
      all[k] = true;
  }
  return all;
}

}  // namespace

AtLine to_line(LoadedState s, int line) {
  if (s.cursor.line == line) {
    s.cursor.line = 0;
    return {std::move(s), {}};
  }
  s.cursor.line = line;
  const DataflowGraph& flow = s.run->report.flow;
  const auto& launches = s.run->trace.launches;
  const int all = steps(*s.run), here = step_of(*s.run, s.cursor);
  const Interval from = flow.intervals[size_t(here)];
  const std::vector<bool> runs = steps_of_line(*s.run, launches[size_t(from.launch)].source, line);
  enum { block, launch, run, nowhere };
  int best = nowhere, at = here;
  // from here on to the end, then from the beginning
  for (int k = 0; k < all && best != block; ++k) {
    const int step = (here + k) % all;
    const Interval& i = flow.intervals[size_t(step)];
    const int near = i.launch != from.launch ? run : i.block != from.block ? launch : block;
    if (near >= best || !runs[size_t(step)]) continue;
    best = near;
    at = step;
  }
  if (best == nowhere)
    return {std::move(s),
            tr("Line {} did nothing in this run: no thread read, wrote or computed a value there.", line)};
  if (at != here) {
    const int chosen = s.cursor.line;
    s = to_step(std::move(s), at);
    s.cursor.line = chosen;
    s.playing = false;
  }
  if (best == block) return {std::move(s), {}};
  if (best == launch)
    return {std::move(s),
            tr("Line {} did nothing in the block that was shown. Here is a block where it did.", line)};
  const std::string name =
      launch_title(s.run->trace, s.run->trace.launches[size_t(flow.intervals[size_t(at)].launch)]);
  return {
      std::move(s),
      tr("Line {} did nothing in the launch that was shown. Here is a launch where it did: {}.", line, name)};
}

HitAction shows_array(int id) {
  return [id](LoadedState& s, float) {
    s.cursor.array = id;
    s.of<WatchState>().all_arrays = false;
  };
}

LoadedState unfold_why(LoadedState s, int by) {
  auto& look = s.of<WatchState>();
  look.why_levels = std::clamp(look.why_levels + by, 0, most_why_levels);
  look.why_turned.clear();
  look.why_scroll = 0;
  if (look.why_levels == 0) look.why_tall = false, look.why_row = -1;
  return s;
}

LoadedState tall_why(LoadedState s) {
  auto& look = s.of<WatchState>();
  look.why_tall = !look.why_tall;
  if (look.why_levels == 0) look.why_levels = 1;
  return s;
}

LoadedState turn_why(LoadedState s, int writer) {
  auto& turned = s.of<WatchState>().why_turned;
  if (std::erase(turned, writer) == 0) turned.push_back(writer);
  return s;
}

LoadedState to_write(LoadedState s, int writer) {
  const DataflowGraph& flow = s.run->report.flow;
  if (writer < 0 || size_t(writer) >= flow.nodes.size()) return s;
  const Node n = flow.nodes[size_t(writer)];
  Cursor c = s.cursor;
  c.launch = n.launch;
  c.block = n.thread / s.run->trace.launches[size_t(n.launch)].block;
  c.interval = n.interval;
  const int step = step_of(*s.run, c);
  s = to_step(std::move(s), step);
  s.cursor.cell = n.place;
  s.cursor.thread = -1;
  s.of<WatchState>().why_row = -1;
  s.of<WatchState>().why_scroll = 0;
  return s;
}

namespace {

/// By so much further than where it was scrolled to in this step; in another step it stood where it stands.
void scroll(const LoadedState& s, int& now, int& at, int by, int least, int most) {
  const int here = step_of(*s.run, s.cursor);
  now = std::clamp((at == here ? now : 0) + by, least, most);
  at = here;
}

}  // namespace

LoadedState scroll_source(LoadedState s, int by, int least, int most) {
  auto& look = s.of<WatchState>();
  scroll(s, look.source_scroll, look.source_scroll_at, by, least, most);
  return s;
}
LoadedState scroll_run(LoadedState s, int by) {
  auto& look = s.of<WatchState>();
  const int most = steps(*s.run) * 8;
  scroll(s, look.run_scroll, look.run_scroll_at, by, -most, most);
  return s;
}
LoadedState shift_source(LoadedState s, int by) {
  auto& look = s.of<WatchState>();
  look.source_shift = std::clamp(look.source_shift + by, 0, 400);
  return s;
}
LoadedState fold_registration(LoadedState s) {
  s.of<WatchState>().registration = !s.of<WatchState>().registration;
  return s;
}
LoadedState show_machine_code(LoadedState s) {
  s.of<WatchState>().machine_code = !s.of<WatchState>().machine_code;
  return s;
}
LoadedState unfold_code(LoadedState s, int line) {
  auto& look = s.of<WatchState>();
  look.machine_code = true;
  look.code_line = look.code_line == line ? 0 : line;
  look.code_from = 0;
  if (look.code_line) s.cursor.line = line;  // keeps it in view
  return s;
}
LoadedState unfold_selected_code(LoadedState s) {
  const int line = s.cursor.line;
  return line > 0 ? unfold_code(std::move(s), line) : show_machine_code(std::move(s));
}
LoadedState show_code_from(LoadedState s, int first) {
  s.of<WatchState>().code_from = first;
  return s;
}
LoadedState next_relatives(LoadedState s) {
  auto& shown = s.of<WatchState>().relatives;
  shown = Relatives((int(shown) + 1) % (int(last_of(shown)) + 1));
  return s;
}
LoadedState next_profile(LoadedState s) {
  auto& shown = s.of<WatchState>().profile;
  shown = Profile((int(shown) + 1) % (int(last_of(shown)) + 1));
  return s;
}

LoadedState next_array(LoadedState s, int by) {
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
  s.of<WatchState>().all_arrays = false;
  return s;
}

}  // namespace bscope
