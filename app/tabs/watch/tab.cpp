// Watch: the cells step by step, the whole run, the source, and why a cell holds what it holds.
#include "app/session/tab.hpp"

#include <algorithm>
#include <map>

#include "app/draw/theme.hpp"
#include "app/session/prediction.hpp"
#include "app/session/state.hpp"
#include "app/session/tab_state_of.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/hand_over.hpp"
#include "app/tabs/watch/prediction_panel.hpp"
#include "app/tabs/watch/source/machine_lines.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/timeline/timeline.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/tabs/watch/whole_run/whole_run.hpp"
#include "app/tabs/watch/why_panel.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

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
  for (HitRegion& h : part.hits) {
    const int before = names[h.name]++;
    h.name = name + " " + h.name + (before ? " " + std::to_string(before + 1) : "");
    whole.hits.push_back(std::move(h));
  }
}

/// Array above whole run, source above why, the timeline below: as the Watch tab, without lists and buttons.
Picture watch_picture(const TabScene& scene, float w, float h) {
  const LoadedState& s = scene.state;
  const RunQueries& model = scene.model;
  const Theme& t = scene.theme;
  const Metrics& m = scene.metrics;
  const auto& look = s.of<WatchState>();
  if (s.only_run)
    return whole_run(model, s.cursor, t, m, w, h, look, prediction_on(s), !s.lesson.hides_future());
  const Cursor& c = s.cursor;
  const Prediction* asked = prediction_on(s);
  const float gap = t.px(8), time = t.px(t.projector() ? 94 : 120);
  const float side = std::min(t.px(t.projector() ? 508 : 380), w * 0.35f), centre = w - side - 3 * gap;
  const float all = h - time - 4 * gap, upper = all * array_share(model, c, t), lower = all - upper;
  const bool tall = look.why_tall && look.why_levels > 0 && !asked;  // at the source's place, too
  const float why = tall ? all + gap : t.projector() ? all * 0.52f : std::min(t.px(186), lower);
  const float source = all - why, right = centre + 2 * gap;
  Picture p{w, h, {}, {}};
  put(p, "array",
      array_view(model, c, t, m, centre, upper, asked, look, nullptr, !s.lesson.hides_future(),
                 !s.lesson.hides_races()),
      {gap, gap}, t);
  put(p, "run",
      look.hand_over && !asked
          ? hand_over(model, c, t, m, centre, lower)
          : whole_run(model, c, t, m, centre, lower, look, asked, !s.lesson.hides_future()),
      {gap, upper + 2 * gap}, t);
  if (!tall)
    put(p, "source",
        source_panel(model, c, t, m, side, source, look, asked, own_code_shown(s, scene.services),
                     {.faults = !s.lesson.line_asked,
                      .coming = !s.lesson.hides_code(),
                      .hints = !s.lesson.hides_future()}),
        {right, gap}, t);
  put(p, "why",
      asked ? prediction_panel(model, c, *asked, t, m, side, why)
            : why_panel(model, c, t, m, side, why, look),
      {right, source + 2 * gap}, t);
  put(p, "timeline", timeline(model, c, t, m, w - 2 * gap, time, !s.lesson.hides_future()),
      {gap, h - time - gap}, t);
  return p;
}

const RegisterTab watch{{.name = "watch",
                         .title = tr_noop("Watch"),
                         .key = '1',
                         .looks = tr_noop("Watch the steps"),
                         .state = remembers<WatchState>(),
                         .picture = watch_picture,
                         .changes = [](const TabScene& scene) { return own_code_version(scene.services); }}};

}  // namespace
}  // namespace bscope
