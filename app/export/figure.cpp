#include "app/export/figure.hpp"

#include "app/cli/time.hpp"
#include "app/export/cairo.hpp"
#include "app/state/state.hpp"
#include "app/view/atomics.hpp"
#include "app/view/banks.hpp"
#include "app/view/compare.hpp"
#include "app/view/time.hpp"
#include "app/view/watch/array_view.hpp"
#include "app/view/watch/source_panel.hpp"
#include "app/view/watch/whole_run.hpp"
#include "app/view/watch/why_panel.hpp"

namespace bscope {
namespace {

constexpr float reference_height = 900;  // of the window that type sizes are given for

/// `part` goes into `whole` at that place, on a panel of its own.
void put(Picture& whole, Picture part, Point at, const Theme& t) {
  Shape panel;
  panel.box = {at.x, at.y, part.width, part.height};
  panel.fill = t.panel;
  panel.radius = t.px(4);
  whole.shapes.push_back(panel);
  for (Shape& s : part.shapes) {
    s.box.x += at.x;
    s.box.y += at.y;
    for (Point& p : s.points) p.x += at.x, p.y += at.y;
    whole.shapes.push_back(std::move(s));
  }
}

/// Array above whole run; source above why.
Picture watch(const WatchModel& model, const Cursor& c, const Theme& t, const Metrics& m, float w, float h) {
  const float gap = t.px(8), side = std::min(t.px(380), w * 0.35f), centre = w - side - 3 * gap;
  const float upper = (h - 3 * gap) * 0.48f, lower = h - 3 * gap - upper, why = std::min(t.px(186), lower);
  const float source = h - 3 * gap - why, right = centre + 2 * gap;
  Picture p{w, h, {}, {}};
  put(p, array_view(model, c, t, m, centre, upper), {gap, gap}, t);
  put(p, whole_run(model, c, t, m, centre, lower), {gap, upper + 2 * gap}, t);
  put(p, source_panel(model, c, t, m, side, source), {right, gap}, t);
  put(p, why_panel(model, c, t, m, side, why), {right, source + 2 * gap}, t);
  return p;
}

/// What the histograms of the Atomics view are to count: the target's own keys, where it has some.
Request keys_of(const RenderOptions& o, const Run& run) {
  Request request = State{}.queues.request;
  if (!run.trace.kernel.starts_with("histogram/")) return request;
  if (!o.targets[0].is_file()) return o.targets[0].request;
  request = {};
  request.values = run.report.input;
  for (const auto& [name, value] : run.trace.parameters)
    if (name == "block")
      request.block = std::stoll(value);
    else if (name == "bins")
      request.set = {{name, value}};
  return request;
}

void need(const State& s) {
  if (!s.error.empty()) throw UsageError(s.error);
}

}  // namespace

bool is_figure(const std::string& file) { return file.ends_with(".svg") || file.ends_with(".pdf"); }

Picture figure(const RenderOptions& o, const Metrics& m) {
  if (o.targets.empty()) throw UsageError("render what? Name a kernel or a .bscope file");
  speak(parse_language(o.language));
  const Theme t = theme(parse_theme(o.theme), reference_height);
  const auto w = float(o.width), h = float(o.height);
  State s;
  s.target = o.targets[0];
  s.run = open_target(o.targets[0]);
  if (!steps(*s.run)) throw UsageError("this run has no step that could be drawn: it has no launch");
  s.cursor = at_step(*s.run, {}, o.step);
  if (o.view == "run" || o.view == "watch") {
    const WatchModel model = make_watch_model(s.run);
    return o.view == "run" ? whole_run(model, s.cursor, t, m, w, h) : watch(model, s.cursor, t, m, w, h);
  }
  if (o.view == "banks" || o.view == "memory") return banks_view(*s.run, s.cursor, -1, t, m, w, h);
  if (o.view == "atomics") {
    s = with_queues(std::move(s), keys_of(o, *s.run));
    need(s);
    return atomics_view(*s.queues.global, *s.queues.shared, *s.queues.racy, {}, t, m, w, h);
  }
  if (o.view == "compare") {
    const std::string rung = next_rung(s.run->trace.kernel);
    if (o.targets.size() > 1)
      s.other = open_target(o.targets[1]);
    else
      s = with_other(std::move(s), rung);
    need(s);
    return compare_view(*s.run, *s.other, s.cursor.interval, recorded_curves(), t, m, w, h);
  }
  if (o.view == "time") {
    TimeInput in;
    in.kernel = s.run->trace.kernel;
    in.recorded = recorded_curves();
    if (const auto found = gpu(&in.no_gpu)) in.gpu = found->name;
    return time_view(in, t, m, w, h);
  }
  throw UsageError("no view \"" + o.view + "\": choose watch, run, banks, memory, atomics, compare or time");
}

int figure_command(const RenderOptions& o) {
  const Theme t = theme(parse_theme(o.theme), reference_height);
  write_figure(figure(o, cairo_metrics()), o.view == "watch" ? t.window : t.panel, o.out);
  return 0;
}

}  // namespace bscope
