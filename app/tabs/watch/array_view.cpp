#include "app/tabs/watch/array_view.hpp"

#include <algorithm>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// What ended the block before it touched memory, or that it touches none.
void nothing_touched(Pen& pen, const Theme& t, float width, float height, const Trace& trace,
                     const BlockSteps& b) {
  for (const Finding& f : trace.findings) {
    if (f.launch != b.launch || f.block != b.block) continue;
    const float size = t.px(t.size_title), wide = std::min(width * 0.8f, size * 40);
    paragraph(pen, {{tr(f.message), t.race}}, {(width - wide) / 2, height / 3, wide, height / 2}, size);
    return;
  }
  pen.text({width / 2, height / 2},
           pen.fitted(tr("This block touches no memory."), width, t.px(t.size_title)), t.px(t.size_title),
           t.ink2, Font::text, Align::centre);
}

/// The block itself, if it touches memory; else the first of its launch that does.
std::optional<int> telling_block(const RunQueries& model, const BlockSteps& b) {
  const auto tells = [](const BlockSteps& of) { return !of.steps.empty() && of.main >= 0; };
  if (tells(b)) return b.block;
  if (model.trace().launches.empty()) return {};
  constexpr int most = 64;  // of thousands of idle blocks one knows enough
  const int grid = std::min(model.trace().launches[size_t(b.launch)].grid, most);
  for (int k = 0; k < grid; ++k)
    if (k != b.block && tells(model.block(b.launch, k))) return k;
  return {};
}

}  // namespace

Picture array_view(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                   float height, const Prediction* prediction, const WatchState& state,
                   std::optional<Zoom>* level) {
  const std::optional<Zoom> held = level ? std::exchange(*level, {}) : std::nullopt;
  const BlockSteps& b = model.block(c);
  // a block that touches no memory is shown among the others, with the way to them
  const std::optional<int> telling = telling_block(model, b);
  if (!telling) {
    Picture empty;
    empty.width = width;
    empty.height = height;
    Pen pen(empty, m);
    nothing_touched(pen, t, width, height, model.trace(), b);
    return empty;
  }
  Cursor there = c;
  there.block = *telling;
  Scene v(model, *telling == b.block ? c : there, state, prediction, t, m, width, height);
  v.home = b.block;
  v.held = held;
  const float bottom = height - v.px(8);
  if (*telling != b.block) {
    v.y = v.px(t.projector() ? 8 : 32);
    draw_where(v);
    if (v.shows_blocks())
      draw_blocks(v, bottom);
    else
      nothing_touched(v.pen, t, width, height, model.trace(), b);
    return std::move(v.picture);
  }
  draw_title(v);
  if (v.shows_blocks()) {
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
  const bool has_threads = !is_between_launches(v.model.trace().launches[size_t(v.block.launch)]);
  if (has_threads && (warp < 0 || v.threads > warp_size)) draw_threads(v);
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
