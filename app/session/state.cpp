#include "app/session/state.hpp"

#include <algorithm>
#include <exception>
#include <vector>

#include "app/run/cuda_text.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run_store.hpp"
#include "app/session/before_change.hpp"
#include "app/session/input.hpp"
#include "app/session/motion.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_time.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/cuda/toolchain/own_program.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/library_launch.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

const std::vector<Interval>& intervals(const LoadedState& s) { return s.run->report.flow.intervals; }

/// Steps that share launch, block and phase with this one: the first of them.
int phase_start(const LoadedState& s, int step) {
  const auto& all = intervals(s);
  const auto same = [&](const Interval& a, const Interval& b) {
    return a.launch == b.launch && a.block == b.block && a.phase == b.phase;
  };
  while (step > 0 && same(all[size_t(step - 1)], all[size_t(step)])) --step;
  return step;
}

/// The step of the new run that stands where the old cursor stood: the same number in the same phase of the
/// same block if there is one, else the same share of the run.
int same_place(const Run& before, const Cursor& c, const Run& after) {
  const auto& old = before.report.flow.intervals;
  const auto& now = after.report.flow.intervals;
  if (old.empty() || now.empty()) return 0;
  const int step = step_of(before, c);
  const Interval& here = old[size_t(step)];
  int number = 0;
  for (int i = step - 1; i >= 0 && old[size_t(i)].phase == here.phase && old[size_t(i)].block == here.block;
       --i)
    ++number;
  int found = -1;
  for (int i = 0; i < int(now.size()); ++i) {
    const Interval& n = now[size_t(i)];
    if (n.launch != here.launch || n.block != here.block || n.phase != here.phase) continue;
    found = i;  // a shorter phase: its last step
    if (number-- == 0) break;
  }
  if (found >= 0) return found;
  return old.size() < 2 ? 0 : step * (int(now.size()) - 1) / (int(old.size()) - 1);
}

/// Where a run opens: what calls of a library have done before the first kernel of one's own can be gone back
/// to.
int first_own_step(const Run& run) {
  const auto& all = run.report.flow.intervals;
  const auto own = std::ranges::find_if(
      all, [&](const Interval& i) { return !is_library_launch(run.trace.launches[size_t(i.launch)]); });
  return own == all.end() ? 0 : int(own - all.begin());
}

int block_size(const LoadedState& s) { return s.run->trace.launches[size_t(s.cursor.launch)].block; }

}  // namespace

void refuse(LoadedState& s, const std::exception& why, Where where) { refuse(s, message_of(why), where); }
void refuse(LoadedState& s, Message why, Where where) {
  s.error = std::move(why);
  s.error_at = where;
}
void forgive(LoadedState& s) { refuse(s, Message(), Where::nowhere); }

ThemeName parse_theme(const std::string& name) {
  for (const auto t : {ThemeName::dark, ThemeName::light, ThemeName::projector})
    if (name == name_of(t)) return t;
  throw UsageError(message("no theme \"{}\": choose dark, light or projector", name));
}

bool moves(const State& s) { return s.playing || s.cursor.phase < 1; }

LoadedState to_step(LoadedState s, int step) {
  s.cursor = at_step(*s.run, s.cursor, step);
  s.held = 0;
  return s;
}

LoadedState forward(LoadedState s, bool motion) {
  if (const auto track = own_time(s)) return at_time(std::move(s), track->now + 1);
  const int step = step_of(*s.run, s.cursor);
  if (step + 1 >= steps(*s.run)) return to_step(std::move(s), step);
  s = to_step(std::move(s), step + 1);
  if (motion && !s.reduced_motion) s.cursor.phase = 0;
  return s;
}

LoadedState back(LoadedState s) {
  if (const auto track = own_time(s)) return at_time(std::move(s), track->now - 1);
  const int step = step_of(*s.run, s.cursor);
  return to_step(std::move(s), step - 1);
}
LoadedState first(LoadedState s) { return own_time(s) ? at_time(std::move(s), 0) : to_step(std::move(s), 0); }
LoadedState last(LoadedState s) {
  if (const auto track = own_time(s)) return at_time(std::move(s), track->length - 1);
  const int step = steps(*s.run) - 1;
  return to_step(std::move(s), step);
}

LoadedState next_phase(LoadedState s) {
  if (const auto track = own_time(s)) {
    const auto mark = std::upper_bound(track->marks.begin(), track->marks.end(), track->now);
    return at_time(std::move(s), mark == track->marks.end() ? track->length - 1 : *mark);
  }
  const int here = step_of(*s.run, s.cursor);
  int step = here;
  while (step + 1 < steps(*s.run) && phase_start(s, step + 1) <= here) ++step;
  return to_step(std::move(s), step + 1);
}

LoadedState previous_phase(LoadedState s) {
  if (const auto track = own_time(s)) {
    const auto mark = std::lower_bound(track->marks.begin(), track->marks.end(), track->now);
    return at_time(std::move(s), mark == track->marks.begin() ? 0 : *std::prev(mark));
  }
  const int here = step_of(*s.run, s.cursor), start = phase_start(s, here);
  const int step = start < here || start == 0 ? start : phase_start(s, start - 1);
  return to_step(std::move(s), step);
}

LoadedState to_block(LoadedState s, int block) {
  s.cursor.block = std::clamp(block, 0, s.run->trace.launches[size_t(s.cursor.launch)].grid - 1);
  const int step = step_of(*s.run, s.cursor);
  return to_step(std::move(s), step);
}

LoadedState scrub(LoadedState s, int interval, float phase) {
  s.cursor.interval = interval;
  s.cursor = at_step(*s.run, s.cursor, step_of(*s.run, s.cursor));
  s.cursor.phase = std::clamp(phase, 0.0f, 1.0f);
  s.playing = false;
  return s;
}

LoadedState play_or_pause(LoadedState s) {
  s.playing = !s.playing;
  s.held = 0;
  if (const auto track = own_time(s)) {
    if (s.playing && track->now + 1 >= track->length) s = at_time(std::move(s), 0);
    return s;
  }
  // from the end, play starts again; otherwise it moves on at once
  if (s.playing && s.cursor.phase >= 1)
    s = step_of(*s.run, s.cursor) + 1 >= steps(*s.run) ? first(std::move(s)) : forward(std::move(s));
  return s;
}

LoadedState faster(LoadedState s) {
  s.speed = std::min(4.0f, s.speed * 2);
  return s;
}
LoadedState slower(LoadedState s) {
  s.speed = std::max(0.25f, s.speed / 2);
  return s;
}

LoadedState advanced(LoadedState s, float ms) {
  if (s.cursor.phase < 1) {
    s.cursor.phase += ms * s.speed / step_ms;
    if (s.cursor.phase >= 1) {
      s.cursor.phase = 1;
      s.held = 0;
    }
    return s;
  }
  if (!s.playing) return s;
  s.held += ms;
  if (const auto track = own_time(s)) {
    const int by = int(s.held * s.speed / track->hold);
    if (!by) return s;
    const float rest = s.held - float(by) * track->hold / s.speed;
    s = at_time(std::move(s), track->now + by);
    s.held = rest;
    s.playing = track->now + by + 1 < track->length;
    return s;
  }
  if (s.held * s.speed < hold_ms) return s;
  if (step_of(*s.run, s.cursor) + 1 >= steps(*s.run)) {
    s.playing = false;
    s.held = 0;
    return s;
  }
  return forward(std::move(s));
}

LoadedState follow_thread(LoadedState s, int by) {
  const int block = block_size(s);
  s.cursor.cell.reset();  // the thread brings its own along
  if (s.cursor.thread >= 0) {
    s.cursor.thread = (s.cursor.thread + by + block) % block;
    return s;
  }
  const auto active = active_threads(s.run->report.flow, interval_at(*s.run, s.cursor));
  // threads of the grid; the cursor names a rank in the block
  s.cursor.thread = active.empty() ? 0 : (by > 0 ? active.front() : active.back()) % block;
  return s;
}

LoadedState select_next(LoadedState s, int by) {
  const Interval& here = interval_at(*s.run, s.cursor);
  const auto& nodes = s.run->report.flow.nodes;
  std::vector<CellRef> written;
  for (int n : here.nodes)
    if (writes(nodes[size_t(n)].op)) written.push_back(nodes[size_t(n)].place);
  std::sort(written.begin(), written.end());
  written.erase(std::unique(written.begin(), written.end()), written.end());
  if (written.empty()) return s;
  const int n = int(written.size());
  int at = by > 0 ? 0 : n - 1;
  if (s.cursor.cell) {
    const auto lower = std::lower_bound(written.begin(), written.end(), *s.cursor.cell);
    const bool on = lower != written.end() && *lower == *s.cursor.cell;
    const int i = int(lower - written.begin());
    at = ((by > 0 ? i + (on ? 1 : 0) : i - 1) + n) % n;
  }
  s.cursor.cell = written[size_t(at)];
  // select the thread that wrote it last, too
  const int block = block_size(s);
  for (int node : here.nodes)
    if (const Node& w = nodes[size_t(node)]; writes(w.op) && w.place == *s.cursor.cell)
      s.cursor.thread = w.thread % block;
  return s;
}

LoadedState clear_selection(LoadedState s) {
  if (s.cursor.substep >= 0) {
    s.cursor.substep = -1;
    return s;
  }
  s.cursor.cell.reset();
  s.cursor.thread = -1;
  s.cursor.line = 0;
  return s;
}

LoadedState zoom(LoadedState s, float factor) {
  s.cursor.zoom = std::clamp(s.cursor.zoom * factor, 1.0f, most_zoom);
  if (s.cursor.zoom == 1) s.cursor.scroll = 0;
  return s;
}
LoadedState reset_zoom(LoadedState s) {
  s.cursor.zoom = 1;
  s.cursor.scroll = 0;
  return s;
}

LoadedState to_theme(LoadedState s, ThemeName t) {
  s.theme = t;
  if (t != ThemeName::projector) s.desk_theme = t;
  return s;
}
LoadedState with_borrowed_looks(LoadedState s, const std::string& theme, const std::string& language,
                                bool dialect) {
  if (!theme.empty()) {
    s = to_theme(std::move(s), parse_theme(theme));
    s.borrowed.theme = s.theme;
    s.borrowed.desk_theme = s.desk_theme;
  }
  if (!language.empty()) s.borrowed.language = s.language = parse_language(language);
  if (dialect) s.borrowed.dialect = s.dialect = true;
  return s;
}
LoadedState to_view(LoadedState s, const std::string& view) {
  s.only_run = view == "run";
  s.tab = s.only_run ? main_tab : view;
  return s;
}
LoadedState projector(LoadedState s) {
  const ThemeName other = s.theme == ThemeName::projector ? s.desk_theme : ThemeName::projector;
  return to_theme(std::move(s), other);
}

Target whole(Target t) {
  if (!t.is_file()) t.request = with_input_read(std::move(t.request));
  return t;
}

Target as_shown(const State& s, Target t) {
  t.in_cuda = !s.dialect && !t.is_program();
  return t;
}

LoadedState with_kernel(LoadedState s, const std::string& kernel, Where where, RunStore& runs) {
  Target target;
  if (!s.target.is_file()) target.device = s.target.device;
  /// Why the kernel does not take this input, or empty.
  const auto tried = [&](const RunSpec& from, LoadedState& next) -> Message {
    next = {};
    Carried c = carried(from, *s.run, kernel);
    target.request = std::move(c.request);
    target.request.block.reset();  // its tile is another
    if (!c.refused.empty()) return c.refused;
    next = opened(s, target, where, runs);
    return next.error;
  };
  LoadedState next;
  // what waits goes before what the kernels since then were run on
  if (s.set_aside && (tried(s.set_aside->request, next).empty() || next.awaits)) return next;
  const RunSpec given = s.target.is_file() ? changeable(s.target, *s.run) : s.target.request;
  Message refused = tried(given, next);
  if (next.awaits) return next;
  if (refused.empty()) {
    next.set_aside = std::move(s.set_aside);
    return next;
  }
  const RunSpec plain{.kernel = kernel, .seed = given.seed};
  if (same_input(target.request, plain) && !next.error.empty()) return next;
  target.request = with_input_of(std::move(target.request), plain);
  LoadedState without = opened(s, target, where, runs);
  if (without.awaits) return without;
  if (!without.error.empty()) return next.error.empty() ? without : next;
  without.set_aside = SetAside{changeable(s.target, *s.run), std::move(refused)};
  return without;
}

LoadedState opened(LoadedState s, const Target& asked, Where where, RunStore& runs) {
  try {
    Target target = as_shown(s, whole(asked));
    const std::optional<RunResult> result = runs.find(target);
    if (!result) {
      s.awaits = Awaited{std::move(target)};
      return s;
    }
    return with_run(s, std::move(target), result->value());
  } catch (const NothingToShow& e) {  // the last run that could be shown stays
    s.unbuilt = e.program;
    refuse(s, e, where);
    return s;
  } catch (const std::exception& e) {
    refuse(s, e, where);
    return s;
  }
}

/// The cursor's line in the same kernel's other text, where the two runs have different ones.
static int line_in(const Trace& to, const Trace& from, const Cursor& c) {
  const CudaText* text = to.dialect == from.dialect ? nullptr : cuda_text_of(to.kernel);
  if (!text || c.line <= 0 || size_t(c.launch) >= from.launches.size()) return c.line;
  if (from.dialect == Dialect::ours_in_cuda) return text->dialect_line(c.line, to.sources[0].path);
  return text->line_of(from.sources[size_t(from.launches[size_t(c.launch)].source)].path, c.line);
}

/// A program whose text has changed leaves its run to be compared with; another file takes it away.
static void keep_before_change(LoadedState& s, const Target& next, const cuda::ProgramRun* program) {
  auto& before = s.results.of<BeforeChange>();
  if (!next.is_program() || next.file != s.target.file)
    before = {};
  else if (s.program && program && s.program->text != program->text)
    before = {next.file, s.run};
}

LoadedState with_run(LoadedState s, Target target, OpenedRun opened) {
  std::shared_ptr<const Run> run = std::move(opened.run);
  const bool same_kernel = s.run && s.run->trace.kernel == run->trace.kernel;
  if (!same_kernel || !same_input(target.request, s.target.request)) s.set_aside.reset();
  if (same_kernel) s.cursor.line = line_in(run->trace, s.run->trace, s.cursor);
  const int step = same_kernel ? same_place(*s.run, s.cursor, *run) : first_own_step(*run);
  s.lesson.asking = s.lesson.asks_later = false;  // it is about another run
  keep_before_change(s, target, opened.program.get());
  s.target = std::move(target);
  s.run = std::move(run);
  s.program = std::move(opened.program);
  s.unbuilt.reset();
  forgive(s);
  s.held = 0;
  s.tabs.each([&](detail::AnyTabState& m) { m.run_opened(*s.run); });
  s = leave_prediction(std::move(s));  // what was asked was of the other run
  if (!same_kernel) {
    s.prediction = {};
    s.playing = false;
    const bool arrows = s.cursor.arrows;
    s.cursor = Cursor{};
    s.cursor.arrows = arrows;
  }
  s.cursor = fitted(*s.run, at_step(*s.run, s.cursor, step));
  return s;
}

std::string next_variant(const std::string& kernel) {
  const auto& all = catalog();
  const auto here =
      std::find_if(all.begin(), all.end(), [&](const Algorithm* a) { return a->name == kernel; });
  if (here == all.end()) return {};
  const auto variant = [&](auto at) {
    return (*at)->family() == (*here)->family() ? (*at)->name : std::string();
  };
  std::string next = here + 1 == all.end() ? std::string() : variant(here + 1);
  if (next.empty() && here != all.begin()) next = variant(here - 1);
  return next;
}

}  // namespace bscope
