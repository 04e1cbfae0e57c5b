#include "app/shell/watch/figure_panels.hpp"

#include <algorithm>
#include <cmath>

#include "app/shell/panel.hpp"
#include "app/shell/ui_state.hpp"
#include "app/tabs/watch/prediction_panel.hpp"
#include "app/tabs/watch/source/machine_lines.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/tabs/watch/whole_run/whole_run.hpp"
#include "app/tabs/watch/why_panel.hpp"
#include "engine/analysis/why_rows.hpp"
#include "engine/trace/fields.hpp"

namespace bscope {
namespace {

/// What these pictures show beside the run and the cursor.
uint64_t looked_at(const State& s, const Prediction* p) {
  return fingerprint(p ? *p : Prediction{}) ^ fingerprint(s.of<WatchState>());
}

}  // namespace

const HitRegion* hit_on_screen(const UiState& ui, const std::string& picture, const std::string& name) {
  const auto shown = ui.pictures.find(picture);
  if (shown == ui.pictures.end()) return nullptr;
  const auto& hits = shown->second.picture.hits;
  const auto it = std::ranges::find(hits, name, &HitRegion::name);
  return it == hits.end() ? nullptr : &*it;
}

void scroll_source_on_screen(LoadedState& s, const UiState& ui, int by) {
  if (const HitRegion* range = hit_on_screen(ui, "source", "source:scroll"))
    s = scroll_source(std::move(s), by, range->a, range->b);
}

bool why_is_tall(const LoadedState& s) {
  return s.of<WatchState>().why_tall && s.of<WatchState>().why_levels > 0 && !prediction_on(s);
}

void show_whole_run(View& v, Box area, const Prediction* prediction) {
  const auto touched =
      v.picture("whole run", area,
                [&](float w, float h) {
                  return whole_run(v.model, v.state.cursor, v.theme, v.metrics, w, h,
                                   v.state.of<WatchState>(), prediction, !v.state.lesson.hides_future());
                },
                {.extra = looked_at(v.state, prediction) ^ uint64_t(v.state.lesson.hides_future()),
                 .zooms = true,
                 .turns = true,
                 .motion = View::PictureOptions::lands});
  if (touched.wheel != 0) v.state = scroll_run(std::move(v.state), touched.wheel > 0 ? -1 : 1);
}

void show_source(View& v, Box area, const Prediction* prediction) {
  // asked for here, and not only where the picture is made anew: what has come is to be seen
  const auto own = own_code_shown(v.state, v.ui.services);
  const auto touched = v.picture(
      "source", area,
      [&](float w, float h) {
        return source_panel(v.model, v.state.cursor, v.theme, v.metrics, w, h, v.state.of<WatchState>(),
                            prediction, own,
                            {.faults = !v.state.lesson.line_asked,
                             .coming = !v.state.lesson.hides_code(),
                             .hints = !v.state.lesson.hides_future()});
      },
      {.extra = looked_at(v.state, prediction) ^ own_code_version(v.ui.services) ^
                uint64_t(v.state.lesson.line_asked) << 40 ^ uint64_t(v.state.lesson.hides_code()) << 41 ^
                uint64_t(v.state.lesson.hides_future()) << 42,
       .turns = true});
  const ImGuiIO& io = ImGui::GetIO();
  const bool sideways = io.KeyShift;  // for wheels that turn one way only
  if (touched.wheel != 0 && !sideways)
    scroll_source_on_screen(v.state, v.ui, -int(std::round(touched.wheel * 3)));
  const float across = touched.over ? io.MouseWheelH + (sideways ? touched.wheel : 0) : 0;
  int& shift = v.state.of<WatchState>().source_shift;
  if (across != 0)
    shift = std::clamp(shift - int(std::round(across * 4)), 0, source_shift_most(v.model, v.state.cursor));
}

void show_why(View& v, Box area) {
  const auto touched = v.picture(
      "why", area,
      [&](float w, float h) {
        return why_panel(v.model, v.state.cursor, v.theme, v.metrics, w, h, v.state.of<WatchState>());
      },
      {.extra = fingerprint(v.state.of<WatchState>()), .turns = true, .motion = View::PictureOptions::lands});
  auto& look = v.state.of<WatchState>();
  if (touched.wheel == 0 || look.why_levels == 0) return;
  look.why_row = -1;
  look.why_scroll = std::clamp(look.why_scroll - int(std::round(touched.wheel)), 0, most_why_rows);
}

void show_prediction(View& v, Box area) {
  if (!prediction_on(v.state)) return;  // a panel before this one left the step
  const Prediction now = v.state.prediction;
  v.picture("prediction", area,
            [&](float w, float h) {
              return prediction_panel(v.model, v.state.cursor, now, v.theme, v.metrics, w, h);
            },
            {.extra = fingerprint(now)});
}

void take_guesses(View& v) {
  v.state = settle_prediction(std::move(v.state));
  const Prediction* p = prediction_on(v.state);
  if (!p || p->revealed || ImGui::GetIO().WantTextInput ||
      ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup))
    return;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters)
    v.state = type_guess(std::move(v.state), char32_t(c));
}

}  // namespace bscope
