#include "app/export/figure.hpp"

#include <algorithm>
#include <map>

#include "app/export/caption.hpp"
#include "app/measure/recorded.hpp"
#include "app/session/partners.hpp"
#include "app/session/start.hpp"
#include "app/tabs/atomics/runs.hpp"
#include "app/tabs/banks/picture.hpp"
#include "app/tabs/compare/picture.hpp"
#include "app/tabs/memory/picture.hpp"
#include "app/tabs/time/picture.hpp"
#include "app/tabs/watch/array_view.hpp"
#include "app/tabs/watch/hand_over.hpp"
#include "app/tabs/watch/prediction_panel.hpp"
#include "app/tabs/watch/source_panel.hpp"
#include "app/tabs/watch/timeline.hpp"
#include "app/tabs/watch/whole_run.hpp"
#include "app/tabs/watch/why_panel.hpp"

namespace bscope {
namespace {

constexpr float reference_height = 900;  // of the window that type sizes are given for

void move(Picture& p, Point by) {
  for (Shape& s : p.shapes) {
    s.box.x += by.x, s.box.y += by.y;
    for (Point& point : s.points) point.x += by.x, point.y += by.y;
  }
  for (Hit& h : p.hits) h.box.x += by.x, h.box.y += by.y;
}

/// `part` goes into `whole` at that place, on a panel of its own; its hits are named after it.
void put(Picture& whole, const std::string& name, Picture part, Point at, const Theme& t) {
  Shape panel;
  panel.box = {at.x + 0.5f, at.y + 0.5f, part.width - 1, part.height - 1};
  panel.fill = t.panel;
  panel.stroke = t.line;
  panel.radius = t.px(6);
  whole.shapes.push_back(panel);
  move(part, at);
  for (Shape& s : part.shapes) whole.shapes.push_back(std::move(s));
  std::map<std::string, int> names;  // a sentence may name a cell twice
  for (Hit& h : part.hits) {
    const int before = names[h.name]++;
    h.name = name + " " + h.name + (before ? " " + std::to_string(before + 1) : "");
    whole.hits.push_back(std::move(h));
  }
}

/// Array above whole run, source above why, the timeline below: as the Watch tab, without lists and buttons.
Picture watch(const WatchModel& model, const State& s, const Theme& t, const Metrics& m, float w, float h) {
  const Cursor& c = s.cursor;
  const Prediction* asked = prediction_on(s);
  const float gap = t.px(8), time = t.px(t.projector() ? 94 : 120);
  const float side = std::min(t.px(t.projector() ? 508 : 380), w * 0.35f), centre = w - side - 3 * gap;
  const float all = h - time - 4 * gap, upper = all * array_share(model, c, t), lower = all - upper;
  const bool tall = s.watch.why_tall && s.watch.why_levels > 0 && !asked;  // at the source's place, too
  const float why = tall ? all + gap : t.projector() ? all * 0.52f : std::min(t.px(186), lower);
  const float source = all - why, right = centre + 2 * gap;
  Picture p{w, h, {}, {}};
  put(p, "array", array_view(model, c, t, m, centre, upper, asked, s.watch), {gap, gap}, t);
  put(p, "run",
      s.watch.hand_over && !asked ? hand_over(model, c, t, m, centre, lower)
                                  : whole_run(model, c, t, m, centre, lower, s.watch, asked),
      {gap, upper + 2 * gap}, t);
  if (!tall) put(p, "source", source_panel(model, c, t, m, side, source, s.watch, asked), {right, gap}, t);
  put(p, "why",
      asked ? prediction_panel(model, c, *asked, t, m, side, why)
            : why_panel(model, c, t, m, side, why, s.watch),
      {right, source + 2 * gap}, t);
  put(p, "timeline", timeline(model, c, t, m, w - 2 * gap, time), {gap, h - time - gap}, t);
  return p;
}

}  // namespace

const WatchModel& Figures::model(const State& s) {
  if (!model_ || &model_->run() != s.run.get())
    model_ = std::make_unique<WatchModel>(make_watch_model(s.run));
  return *model_;
}

Picture Figures::operator()(const State& given, const Theme& t, const Metrics& m, float w, float h) {
  const State s = with_needs(given);
  const Caption c = caption_of(s);
  const float top = caption_height(c, t, m, w);
  Picture p = body(s, t, m, w, h - top);
  move(p, {0, top});
  p.height += top;
  draw_caption(p, c, t, m);
  return p;
}

Picture Figures::body(const State& s, const Theme& t, const Metrics& m, float w, float h) {
  if (s.only_run) return whole_run(model(s), s.cursor, t, m, w, h, s.watch, prediction_on(s));
  switch (s.tab) {
    case Tab::watch: return watch(model(s), s, t, m, w, h);
    case Tab::banks: {
      Partner twins, pattern;
      return banks_view(banks_scene(s, model(s), twins, pattern), t, m, w, h);
    }
    case Tab::memory: {
      Partner pattern;
      return memory_view(memory_scene(s, model(s), pattern), t, m, w, h);
    }
    case Tab::atomics: return atomics_view(s.queues->model, look_of(s), t, m, w, h);
    case Tab::compare:
      return compare_view(*s.comparison, {s.compare.sync, s.compare.scale, s.compare.position},
                          recorded_curves(), t, m, w, h);
    case Tab::time: {
      TimeInput in;
      in.kernel = s.run->trace.kernel;
      in.live = live_;
      in.look = s.time;
      in.recorded = recorded_curves();
      if (const Algorithm* a = algorithm_of(in.kernel)) in.parameters = a->parameters;
      if (const auto found = gpu(&in.no_gpu)) in.gpu = found->name;
      if (s.time.facet == TimeFacet::roofline)
        for (const auto& key : time_work(in)) in.counted[key] = count_work(key.first, key.second);
      return time_view(in, t, m, w, h);
    }
  }
  throw UsageError("this tab has no picture");
}

Picture figure(const State& s, const Theme& t, const Metrics& m, float w, float h) {
  return Figures()(s, t, m, w, h);
}

Theme figure_theme(const State& s, float w, float h) {
  const float scaled = std::min(h, w * 9 / 16);
  Theme t = theme(s.theme, s.only_run ? std::max(reference_height, scaled) : scaled);
  t.printed = true;
  return t;
}

Colour figure_background(const State& s, const Theme& t) { return s.only_run ? t.panel : t.window; }

}  // namespace bscope
