#include "app/tabs/watch/array/view.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "app/draw/chart.hpp"
#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/arrays.hpp"
#include "app/tabs/watch/array/blocks.hpp"
#include "app/tabs/watch/array/cell_row.hpp"
#include "app/tabs/watch/array/content.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/lanes.hpp"
#include "app/tabs/watch/array/moves.hpp"
#include "app/tabs/watch/array/overview.hpp"
#include "app/tabs/watch/array/position.hpp"
#include "app/tabs/watch/array/rows.hpp"
#include "app/tabs/watch/array/rows_layout.hpp"
#include "app/tabs/watch/array/states.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/array/substep.hpp"
#include "app/tabs/watch/array/threads.hpp"
#include "app/tabs/watch/array/title.hpp"
#include "app/tabs/watch/array/warp.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// What ended the block before it touched memory, or that it touches none.
void nothing_touched(Pen& pen, const Theme& t, float width, float height, const Trace& trace,
                     const BlockSteps& b) {
  for (const Finding& f : trace.findings) {
    if (f.launch != b.launch || f.block != b.block) continue;
    const float size = t.px(t.size_title), wide = std::min(width * 0.8f, size * 40);
    paragraph(pen, {{tr(f.sentences()), t.race}}, {(width - wide) / 2, height / 3, wide, height / 2}, size);
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

/// For a block that touches no memory: the way to others, as the first that does has it, and all of them if
/// the user has chosen to see them.
void draw_untouched(Pen& pen, const Theme& t, const ArrayGrid& grid, float height, const StepView& v,
                    const BlockSteps& home, bool all_blocks, bool future) {
  const float y = draw_where(pen, t, grid, v, home.block, all_blocks, future, t.px(32, 8));
  if (all_blocks)
    draw_blocks(pen, t, grid, v, home.block, y);
  else
    nothing_touched(pen, t, grid.width, height, v.model.trace(), home);
}

/// The cells of one array, from `y` down. `held`: the level of zoom that was shown before; returns the one
/// shown now.
Zoom draw_array(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v, const StepStates& states,
                const LitCells& lit, float y, std::optional<Zoom> held) {
  const std::shared_ptr<const DrawnMoves> moves = drawn_moves(v, states);
  const Columns& c = grid.columns;
  y = draw_position(pen, t, c, v, *states.row_after(v.landed).state, y);
  const Zoom level = zoom_level(c.pitch / t.scale, held);
  if (c.rows > 1 || level > Zoom::brief) return draw_overview(pen, t, grid, v, states, lit, *moves, y, held);
  std::vector<int> cells(size_t(std::max(0, c.visible)));
  std::iota(cells.begin(), cells.end(), c.first);
  const CellRow row = cell_row(t, std::move(cells), c.left, c.pitch, level == Zoom::full);
  draw_rows(pen, t, grid, v, states, lit, *moves, row, {y, grid.bottom});
  return level;
}

/// What has threads above it: lanes, or the cells of one array. Returns the level of zoom of cells.
std::optional<Zoom> draw_step(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v,
                              const Cursor& c, const WatchState& state, const ArrayContent& shown, float y,
                              std::optional<Zoom> held) {
  // the lanes of the only warp are its threads
  if (!is_between_launches(v.launch()) && (shown.warp < 0 || v.threads > warp_size))
    y = draw_threads(pen, t, grid, v, shown_part(v.model, c), y);
  if (shown.what == ArrayContent::lanes) {
    draw_lanes(pen, t, grid, v, WarpLanes(v, shown.warp), y);
    return {};
  }
  const StepStates states(v, state.words);
  return draw_array(pen, t, grid, v, states, lit_cells(v, c, state.relatives), y, held);
}

}  // namespace

Picture array_view(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                   float height, const Prediction* prediction, const WatchState& state,
                   std::optional<Zoom>* level, bool future, bool races) {
  const std::optional<Zoom> held = level ? std::exchange(*level, {}) : std::nullopt;
  Picture picture{width, height, {}, {}};
  Pen pen(picture, m);
  const BlockSteps& home = model.block(c);
  // a block that touches no memory is shown among the others, with the way to them
  const std::optional<int> telling = telling_block(model, home);
  if (!telling) {
    nothing_touched(pen, t, width, height, model.trace(), home);
    return picture;
  }
  Cursor there = c;
  there.block = *telling;
  const Cursor& shown_at = *telling == home.block ? c : there;
  StepView v(model, shown_at, prediction);
  v.tells_races = races;
  const ArrayGrid grid{width, height - t.px(8), array_columns(model, shown_at, t, width)};
  if (*telling != home.block) {
    draw_untouched(pen, t, grid, height, v, home, shows_blocks(v, state, t), future);
    return picture;
  }
  const ArrayContent shown = array_content(v, state, t);
  float y = draw_title(pen, t, grid, v, shown, future);
  if (shown.what == ArrayContent::blocks) {
    draw_blocks(pen, t, grid, v, home.block, y);
    return picture;
  }
  if (v.sub) y = draw_substep(pen, t, width, model, *v.sub, y);
  if (shown.what == ArrayContent::arrays) {
    draw_arrays(pen, t, grid, v, state.words, y);
    return picture;
  }
  const std::optional<Zoom> now = draw_step(pen, t, grid, v, c, state, shown, y, held);
  if (level) *level = now;
  return picture;
}

float array_share(const RunQueries& model, const Cursor& c, const Theme& t) {
  if (t.projector()) return 0.485f;
  const size_t steps = model.track(c).steps.size();
  const float by_steps = steps <= 2 ? 0.66f : steps <= 4 ? 0.58f : 0.482f;
  const ArrayRange part = shown_part(model, c);
  const bool tile =
      part.size > 0 && stands_as_tile(model.array(model.block(c).launch, part.array), part.size);
  return tile ? std::max(by_steps, 0.66f) : by_steps;  // a line for each row
}

}  // namespace bscope
