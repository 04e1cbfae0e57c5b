// Watch: array view above the whole run, source above why, transport and timeline below.
#include "app/shell/panel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/theme.hpp"
#include "app/session/history.hpp"
#include "app/session/prediction.hpp"
#include "app/session/state.hpp"
#include "app/shell/header.hpp"
#include "app/shell/kernel_list.hpp"
#include "app/shell/touch_input.hpp"
#include "app/shell/ui_state.hpp"
#include "app/shell/watch/editor.hpp"
#include "app/shell/watch/figure_panels.hpp"
#include "app/shell/zoom_shown.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/hand_over.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/array_state.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/trace/fields.hpp"

namespace bscope {
namespace {

constexpr float zoom_fade = 120;  ///< ms from one level of zoom to another

/// The array view at the level of zoom that its size asks for. Where nothing but the size of its cells has
/// changed, the picture of another level fades.
Picture zoomed_view(View& v, float w, float h, const Prediction* prediction) {
  ZoomShown& zoom = v.ui.of<ZoomShown>();
  if (zoom.run != v.state.run) {
    zoom = ZoomShown();
    zoom.run = v.state.run;
  }
  const std::optional<Zoom> before = zoom.level;
  Picture made =
      array_view(v.model, v.state.cursor, v.theme, v.metrics, w, h, prediction, v.state.of<WatchState>(),
                 &zoom.level, !v.state.lesson.hides_future(), !v.state.lesson.hides_races());
  CachedPicture& last = v.ui.pictures["array"];  // about to be replaced
  Cursor as_now = last.cursor;
  as_now.zoom = v.state.cursor.zoom;
  as_now.scroll = v.state.cursor.scroll;
  if (before && zoom.level && *before != *zoom.level && !v.state.reduced_motion && last.run == v.state.run &&
      last.theme_name == v.theme.name && as_now == v.state.cursor) {
    zoom.before = std::move(last.picture);
    zoom.fade = zoom_fade;
  }
  return made;
}

/// The cell at the mouse's place in the picture; between cells, a part of one.
float cell_at(const View& v, const View::PointerInput& touched, const Columns& c) {
  const HitRegion* hit = touched.hovered;
  const bool strip = v.ui.of<ZoomShown>().level == Zoom::strip;
  // rows of cells and the lens say which; the strip has more cells than it has room for names
  if (hit && hit->what == HitRegion::cell && !(strip && hit->name.starts_with("all:")))
    if (const ArrayRange shown = shown_part(v.model, v.state.cursor); hit->a == shown.array)
      return float(hit->b - shown.first) + 0.5f;
  const float share = std::clamp((touched.at.x - c.left) / (c.right() - c.left), 0.0f, 1.0f);
  return float(c.first) + share * float(c.visible);
}

/// Where among the array's cells the mouse is. While it rests it stays on its cell, though the wheel brings
/// others below it.
float cell_under(View& v, const View::PointerInput& touched, const Columns& c) {
  ZoomShown& zoom = v.ui.of<ZoomShown>();
  const auto in_view = [&](float cell) {
    return cell >= float(c.first) && cell <= float(c.first + c.visible);
  };
  if (zoom.about && zoom.mouse.x == touched.at.x && zoom.mouse.y == touched.at.y && in_view(*zoom.about))
    return *zoom.about;
  zoom.mouse = touched.at;
  zoom.about = cell_at(v, touched, c);
  return *zoom.about;
}

void scroll_to(View& v, const Columns& c, float first) {
  v.state.cursor.scroll = std::clamp(first, 0.0f, float(c.size - c.visible));
}

/// Of other cells in view than before the zoom changed: `cell` keeps its place among them.
void keep_place(View& v, const Columns& before, float cell, float width) {
  const float place = std::clamp((cell - float(before.first)) / float(before.visible), 0.0f, 1.0f);
  const Columns now = array_columns(v.model, v.state.cursor, v.theme, width);
  scroll_to(v, now, cell - place * float(now.visible));
}

/// Keys zoom about the selected cell; where it is in another array, about the middle.
void follow_keys(View& v, float width) {
  const std::optional<float> from = std::exchange(v.ui.of<ZoomShown>().from, {});
  if (!from) return;
  Cursor shown = v.state.cursor;
  shown.zoom = *from;
  const Columns before = array_columns(v.model, shown, v.theme, width);
  const ArrayRange part = shown_part(v.model, shown);
  const auto selected = v.model.selected(shown);
  const bool here = selected && selected->array == part.array;
  keep_place(
      v, before,
      here ? float(selected->index - part.first) + 0.5f : float(before.first) + float(before.visible) / 2,
      width);
}

/// Two fingers that part zoom about the cell between them; those that move take what is in view along.
/// `area`: the cells' or the whole run's, whose columns are theirs.
void pinch(View& v, Box area, float width) {
  const TouchInput::Pinch two = v.ui.of<TouchInput>().pinch;
  const Columns before = array_columns(v.model, v.state.cursor, v.theme, width);
  if ((two.factor == 1 && two.across == 0) || !area.contains(two.at) || before.pitch <= 0 ||
      before.visible <= 0)
    return;
  const float share =
      std::clamp((two.at.x - area.x - before.left) / (before.right() - before.left), 0.0f, 1.0f);
  v.state = zoom(std::move(v.state), two.factor);
  keep_place(v, before, float(before.first) + share * float(before.visible), width);
  const Columns now = array_columns(v.model, v.state.cursor, v.theme, width);
  scroll_to(v, now, v.state.cursor.scroll - two.across / now.pitch);
  if (v.state.cursor.zoom == 1) v.state.cursor.scroll = 0;
}

/// The wheel zooms about the cell under the mouse; a drag over no cell moves what is in view.
void zoom_and_pan(View& v, const View::PointerInput& touched, float width) {
  const Columns before = array_columns(v.model, v.state.cursor, v.theme, width);
  if (before.pitch <= 0 || before.visible <= 0) return;
  if (touched.wheel != 0) {
    const float cell = cell_under(v, touched, before);
    v.state = zoom(std::move(v.state), std::pow(1.25f, touched.wheel));
    keep_place(v, before, cell, width);
  }
  const Columns now = array_columns(v.model, v.state.cursor, v.theme, width);
  const bool finger = ImGui::GetIO().MouseSource == ImGuiMouseSource_TouchScreen;
  if (touched.held && (!touched.dragged || finger) && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0))
    scroll_to(v, now, v.state.cursor.scroll - ImGui::GetIO().MouseDelta.x / now.pitch);
  if (v.state.cursor.zoom == 1) v.state.cursor.scroll = 0;
}

void show_array(View& v, Box array, const Prediction* prediction) {
  const uint64_t guessed = fingerprint(prediction ? *prediction : Prediction{});
  follow_keys(v, array.w);
  const auto touched = v.picture(
      "array", array, [&](float w, float h) { return zoomed_view(v, w, h, prediction); },
      {.extra = guessed ^ fingerprint(v.state.of<WatchState>()) ^ uint64_t(v.state.lesson.hides_future()) ^
                uint64_t(v.state.lesson.hides_races()) << 1,
       .zooms = true,
       .motion = View::PictureOptions::moves});
  if (v.ui.of<ZoomShown>().fade > 0)
    v.fading(v.ui.of<ZoomShown>().before, array, v.ui.of<ZoomShown>().fade / zoom_fade);
  zoom_and_pan(v, touched, array.w);
  pinch(v, array, array.w);
}

/// The cells; below them the whole run, where there is room for both.
void show_alone(View& v, Box area) {
  take_guesses(v);
  const Prediction* asked = prediction_on(v.state);
  const Prediction guesses = asked ? *asked : Prediction{};
  const Prediction* const prediction = asked ? &guesses : nullptr;
  const Theme& t = v.theme;
  Box array = area;
  if (area.h >= t.px(t.projector() ? 760 : 560)) {
    const float gap = t.px(8), upper = (area.h - gap) * array_share(v.model, v.state.cursor, t);
    array.h = upper;
    show_array(v, array, prediction);
    const Box whole{area.x, area.y + upper + gap, area.w, area.h - upper - gap};
    show_whole_run(v, whole, prediction);
    pinch(v, whole, array.w);
  } else {
    show_array(v, array, prediction);
  }
}

void show(View& v, Box area) {
  const Theme& t = v.theme;
  const bool edits = edits_program(v.ui);
  const float gap = t.px(8), left = kernels_width(v);
  const float right = edits ? t.px(580, 900) : t.px(380, 508);
  const Box bar = playback_box(t, area);
  const Box rest{area.x, area.y, area.w, bar.y - gap - area.y};
  const float told =
      left > 0 ? v.ui.of<TroublesPanel>().height : 0;  // beside the list, which stays where it is
  const Box kernels{rest.x, rest.y - told, left - gap, rest.h + told};
  const Box centre{rest.x + left, rest.y, rest.w - left - right - gap, rest.h};
  // below a lesson's strip the cells take what they need of what is left
  const float share = array_share(v.model, v.state.cursor, t);
  float upper =
      centre.h *
      (v.state.lesson.open && t.projector() ? std::clamp(t.px(326) / centre.h, 0.485f, 0.64f) : share);
  // a hand-over has so many lines; the cells leave it that much
  if (v.state.of<WatchState>().hand_over)
    upper = std::min(upper, std::max(centre.h * 0.4f, centre.h - hand_over_height(v.model, v.state.cursor, t,
                                                                                  v.metrics, centre.w)));
  const Box array{centre.x, centre.y, centre.w, upper - gap / 2};
  const Box whole{centre.x, centre.y + upper + gap / 2, centre.w, centre.h - upper - gap / 2};
  const Box side{centre.right() + gap, rest.y, right, rest.h};
  const bool tall = why_is_tall(v.state) && !edits;  // it stands at the source's place too
  const float source_height = tall ? -gap : t.projector() ? upper - gap / 2 : side.h - t.px(186) - gap;
  const Box source{side.x, side.y, side.w, source_height};
  const Box why{side.x, side.y + source_height + gap, side.w, side.h - source_height - gap};

  std::vector<Box> boxes{array, whole, why};
  if (!tall) boxes.push_back(source);
  const float outer = area.x - gap, middle = area.x + left, end = bar.y - gap;
  if (left > 0) v.panels({outer, kernels.y - gap, middle - outer, end - kernels.y + gap}, {kernels});
  v.panels({left > 0 ? middle : outer, area.y - gap, area.right() + gap - (left > 0 ? middle : outer),
            end - area.y + gap},
           boxes);
  v.panels({outer, end, area.w + 2 * gap, area.bottom() + gap - end}, {bar});

  if (left > 0) show_kernels(v, kernels);
  take_guesses(v);
  const Prediction* asked = prediction_on(v.state);
  const Prediction guesses = asked ? *asked : Prediction{};
  const Prediction* const prediction = asked ? &guesses : nullptr;
  show_array(v, array, prediction);
  pinch(v, whole, array.w);
  if (v.state.of<WatchState>().hand_over && !prediction)
    v.picture("hand-over", whole,
              [&](float w, float h) { return hand_over(v.model, v.state.cursor, t, v.metrics, w, h); },
              {.extra = fingerprint(v.state.of<WatchState>())});
  else
    show_whole_run(v, whole, prediction);
  if (edits)
    show_editor(v, source);
  else if (!tall)
    show_source(v, source, prediction);
  if (prediction)
    show_prediction(v, why);
  else
    show_why(v, why);
  show_playback(v, area);
}

const RegisterPanel watch{{main_tab, show, true, show_alone}};

}  // namespace
}  // namespace bscope
