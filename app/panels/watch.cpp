// Watch: array view above the whole run, source above why, transport and timeline below.
#include "app/panels/panel.hpp"
#include "app/panels/playback.hpp"
#include "app/view/watch/array_view.hpp"
#include "app/view/watch/source_panel.hpp"
#include "app/view/watch/whole_run.hpp"
#include "app/view/watch/why_panel.hpp"

namespace bscope {
namespace {

void show(View& v, Box area) {
  const Theme& t = v.theme;
  area = show_playback(v, area);
  const float gap = t.px(8), left = t.projector() ? 0 : t.px(232) + gap,
              right = t.px(t.projector() ? 508 : 380);
  if (left > 0) show_kernels(v, {area.x, area.y, left - gap, area.h});

  const Box centre{area.x + left, area.y, area.w - left - right - gap, area.h};
  const float upper = centre.h * (t.projector() ? 0.485f : 0.482f);
  const Box array{centre.x, centre.y, centre.w, upper - gap / 2};
  const Box whole{centre.x, centre.y + upper + gap / 2, centre.w, centre.h - upper - gap / 2};
  const auto touched =
      v.picture("array", array,
                [&](float w, float h) { return array_view(v.model, v.state.cursor, t, v.metrics, w, h); },
                {.zooms = true, .motion = View::Options::moves});
  zoom_and_pan(v, touched, array.w);
  v.picture("whole run", whole,
            [&](float w, float h) { return whole_run(v.model, v.state.cursor, t, v.metrics, w, h); },
            {.zooms = true, .motion = View::Options::lands});

  const Box side{centre.right() + gap, area.y, right, area.h};
  const float source = t.projector() ? upper - gap / 2 : side.h - t.px(186) - gap;
  v.picture("source", {side.x, side.y, side.w, source},
            [&](float w, float h) { return source_panel(v.model, v.state.cursor, t, v.metrics, w, h); }, {});
  v.picture("why", {side.x, side.y + source + gap, side.w, side.h - source - gap},
            [&](float w, float h) { return why_panel(v.model, v.state.cursor, t, v.metrics, w, h); },
            {.motion = View::Options::lands});
}

const RegisterTab watch{{Tab::watch, "Watch", show}};

}  // namespace
}  // namespace bscope
