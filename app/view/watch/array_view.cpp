#include "app/view/watch/array_view.hpp"

#include <utility>

#include "app/view/watch/array_parts.hpp"
#include "app/words/words.hpp"

namespace bscope {

Picture array_view(const WatchModel& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                   float height, const Prediction* prediction, const WatchState& state,
                   std::optional<Zoom>* level) {
  const std::optional<Zoom> held = level ? std::exchange(*level, {}) : std::nullopt;
  const BlockSteps& b = model.block(c);
  if (b.steps.empty() || b.main < 0) {
    Picture empty;
    empty.width = width;
    empty.height = height;
    Pen pen(empty, m);
    pen.text({width / 2, height / 2},
             pen.fitted(std::string(say("This block touches no memory.")), width, t.px(t.size_title)),
             t.px(t.size_title), t.ink2, Font::text, Align::centre);
    return empty;
  }
  Scene v(model, c, state, prediction, t, m, width, height);
  v.held = held;
  draw_title(v);
  const float bottom = height - v.px(8);
  if (state.all_blocks && !t.projector() && !v.hides()) {
    draw_blocks(v, bottom);
    return std::move(v.picture);
  }
  draw_substep(v);
  if (state.all_arrays && !v.hides()) {
    draw_arrays(v, bottom);
    return std::move(v.picture);
  }
  const int warp = shown_warp(v);
  // the lanes of the only warp are its threads
  if (warp < 0 || v.threads > warp_size) draw_threads(v);
  if (warp >= 0) {
    draw_lanes(v, warp, bottom);
    return std::move(v.picture);
  }
  draw_position(v);
  v.level = zoom_level(v.columns.pitch / t.scale, v.held);
  if (v.columns.rows == 1 && v.level <= Zoom::brief) {
    std::vector<int> cells;
    for (int k = 0; k < v.columns.visible; ++k) cells.push_back(v.columns.first + k);
    draw_rows(v, std::move(cells), v.columns.left, v.columns.pitch, v.y, bottom, true);
  } else {
    draw_overview(v, bottom - v.y);
  }
  if (level) *level = v.level;
  return std::move(v.picture);
}

}  // namespace bscope
