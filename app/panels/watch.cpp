// Watch: array view above the whole run, source above why, transport and timeline below.
#include <algorithm>

#include "app/panels/figure.hpp"
#include "app/panels/panel.hpp"
#include "app/panels/playback.hpp"
#include "app/panels/prediction.hpp"
#include "app/state/fields.hpp"
#include "app/state/watch_steps.hpp"
#include "app/view/watch/array_view.hpp"

namespace bscope {
namespace {

/// What the array view's own buttons do; the hits that all pictures share are answered already.
void choose(State& s, const Hit& hit) {
  if (hit.what != Hit::button) return;
  const std::string& name = hit.name;
  if (name == "substep:next")
    s = next_substep(std::move(s));
  else if (name == "substep:previous")
    s = previous_substep(std::move(s));
  else if (name == "substep:leave")
    s.cursor.substep = -1;
  else if (name == "blocks:all")
    s.watch.all_blocks = !s.watch.all_blocks;
  else if (name == "block:next" || name == "block:previous") {
    const int to = s.cursor.block + (name == "block:next" ? 1 : -1);
    s = to_block(std::move(s), to);
  } else if (name.starts_with("block:")) {
    s = to_block(std::move(s), hit.a);
    s.watch.all_blocks = false;
  } else if (name.starts_with("launch:"))
    s = to_launch(std::move(s), hit.a);
}

void show(View& v, Box area) {
  const Theme& t = v.theme;
  const float gap = t.px(8), left = t.projector() || v.state.lesson.open ? 0 : t.px(232) + gap,
              right = t.px(t.projector() ? 508 : 380);
  const Box bar = playback_box(t, area);
  const Box rest{area.x, area.y, area.w, bar.y - gap - area.y};
  const Box kernels{rest.x, rest.y, left - gap, rest.h};
  const Box centre{rest.x + left, rest.y, rest.w - left - right - gap, rest.h};
  // below a lesson's strip the cells take what they need of what is left
  const float share = array_share(v.model, v.state.cursor, t);
  const float upper =
      centre.h *
      (v.state.lesson.open && t.projector() ? std::clamp(t.px(326) / centre.h, 0.485f, 0.64f) : share);
  const Box array{centre.x, centre.y, centre.w, upper - gap / 2};
  const Box whole{centre.x, centre.y + upper + gap / 2, centre.w, centre.h - upper - gap / 2};
  const Box side{centre.right() + gap, rest.y, right, rest.h};
  const bool tall = why_is_tall(v.state);  // it stands at the source's place too
  const float source_height = tall ? -gap : t.projector() ? upper - gap / 2 : side.h - t.px(186) - gap;
  const Box source{side.x, side.y, side.w, source_height};
  const Box why{side.x, side.y + source_height + gap, side.w, side.h - source_height - gap};

  std::vector<Box> boxes{array, whole, why, bar};
  if (!tall) boxes.push_back(source);
  if (left > 0) boxes.push_back(kernels);
  v.panels({area.x - gap, area.y - gap, area.w + 2 * gap, area.h + 2 * gap}, boxes);

  if (left > 0) show_kernels(v, kernels);
  take_guesses(v);
  const Prediction* asked = prediction_on(v.state);
  const Prediction guesses = asked ? *asked : Prediction{};
  const Prediction* const prediction = asked ? &guesses : nullptr;
  const uint64_t guessed = fingerprint(guesses);
  const auto touched = v.picture(
      "array", array,
      [&](float w, float h) {
        return array_view(v.model, v.state.cursor, t, v.metrics, w, h, prediction, v.state.watch);
      },
      {.extra = guessed ^ fingerprint(v.state.watch), .zooms = true, .motion = View::Options::moves});
  if (touched.clicked) choose(v.state, *touched.clicked);
  zoom_and_pan(v, touched, array.w);
  focus_box(v, touched);
  show_whole_run(v, whole, prediction);
  if (!tall) show_source(v, source, prediction);
  if (prediction)
    show_prediction(v, why);
  else
    show_why(v, why);
  show_playback(v, area);
}

const RegisterTab watch{{Tab::watch, later("Watch"), show, true}};

}  // namespace
}  // namespace bscope
