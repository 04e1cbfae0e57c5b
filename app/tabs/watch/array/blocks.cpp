#include "app/tabs/watch/array/blocks.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/cells.hpp"
#include "app/draw/chart.hpp"
#include "app/draw/layout.hpp"
#include "app/session/state.hpp"
#include "app/tabs/watch/array/grid.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/cell_values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/launch_overview.hpp"

namespace bscope {
namespace {

/// Kept between frames.
std::shared_ptr<const LaunchOverview> overview_of(const StepView& v) {
  std::shared_ptr<const void>& kept = v.model.kept("blocks");
  const int launch = v.block.launch, interval = v.step.interval->index, array = v.to.array;
  if (auto old = std::static_pointer_cast<const LaunchOverview>(kept);
      old && old->launch == launch && old->interval == interval && old->array == array)
    return old;
  const auto made = std::make_shared<const LaunchOverview>(
      launch_overview(v.model.trace(), v.model.flow(), launch, interval, array, 64));
  kept = made;
  return made;
}

/// Where tiles stand.
struct TileGrid {
  int columns = 1, rows = 1;
  float left = 0, top = 0, w = 0, h = 0;  ///< of the first, with its gap
  float gap = 0;
  bool named = false, strips = false;  ///< tiles have room for names; for strips
  Box box(int k) const { return {left + float(k % columns) * w, top + float(k / columns) * h, w, h}; }
};
/// Tiles as square as cells allow: about five times as wide as high.
TileGrid tile_grid(const Theme& t, float width, float top, float bottom, int blocks) {
  TileGrid out;
  out.left = margin(t);
  out.top = top;
  out.rows = blocks;
  const float room_w = width - 2 * out.left, room_h = bottom - top;
  float best = 0;
  for (int c = 1; c <= blocks; ++c) {
    const int r = (blocks + c - 1) / c;
    const float score = std::min(room_w / float(c), room_h / float(r) * 5);
    if (score > best) best = score, out.columns = c, out.rows = r;
  }
  const float w = out.w = std::min(room_w / float(out.columns), t.px(300));
  const float h = out.h = std::min(room_h / float(out.rows), t.px(78));
  const float gap = out.gap = w > t.px(24) && h > t.px(14) ? t.px(6)
                              : w > t.px(6) && h > t.px(6) ? t.px(1)
                                                           : 0;
  out.named = h - gap >= t.label() * 1.2f + t.px(14) && w - gap > t.px(60);
  out.strips = w - gap >= t.px(14) && h - gap >= t.px(8);
  return out;
}

/// A block's name and how many of its threads work, or wait for ever.
LayoutNode tile_name(const Theme& t, const LaunchOverview::BlockOverview& b, int number, bool here,
                     int threads) {
  const LayoutNode count = b.stuck > 0 ? line({tr("{} stuck", b.stuck)}, {t.label(), t.ink, Font::text_bold})
                                       : line({std::to_string(b.working) + "/" + std::to_string(threads)},
                                              {t.label(), t.ink2, Font::mono});
  return row(t.px(10), {line({tr("block {}", number)}, {.size = t.label(),
                                                        .colour = here ? t.ink : t.ink2,
                                                        .font = here ? Font::text_bold : Font::text,
                                                        .cut = true}),
                        space(0).grows(), LayoutNode(count).gives(1)});
}

/// A block's cells, and below them its threads; hatched where it has ended.
LayoutNode tile_strips(const Theme& t, const LaunchOverview::BlockOverview& b, float largest) {
  if (!b.there)
    return drawing(0, 0, [](const DrawContext& p, Box box) {
      p.pen.hatch(box, mix(p.t.idle, p.t.panel, 0.3f), p.t.px(7), p.t.px(1));
    });
  std::vector<Colour> cells, lanes;
  for (size_t k = 0; k < b.touched.size(); ++k)
    cells.push_back(b.touched[k] == LaunchOverview::writes  ? t.changed
                    : b.touched[k] == LaunchOverview::reads ? mix(t.read, t.cell, 0.75f)
                    : b.values.empty()                      ? t.cell
                                                            : shade(t, double(b.values[k]), double(largest)));
  for (const bool works : b.lanes) lanes.push_back(works ? t.thread : mix(t.idle, t.panel, 0.35f));
  return floors(t.px(1), {{0.72f, strip(std::move(cells))}, {0.28f, strip(std::move(lanes))}});
}

std::string tip_of(const LaunchOverview::BlockOverview& b, int number, int threads,
                   const std::string& array) {
  if (!b.there) return tr("Block {} has ended before this step. Click to go there.", number);
  if (b.stuck > 0)
    return tr("Block {}: {} of {} threads wait for ever. Click to go there.", number, b.stuck, threads);
  return tr("Block {}: {} of {} threads work, {} writes to {}. Click to go there.", number, b.working,
            threads, b.writes, array);
}

/// Where there is room its name and strips; else one colour: how many of its threads work.
void draw_tile(Pen& pen, const Theme& t, const LaunchOverview::BlockOverview& block, float largest,
               int number, bool here, int threads, const TileGrid& grid, const Box& inside) {
  if (!grid.strips) {
    const float share = threads ? float(block.working) / float(threads) : 0;
    pen.rect(inside, mix(t.thread, t.cell, block.working ? 0.2f + 0.8f * share : 0.0f));
    return;
  }
  std::vector<LayoutNode> parts;
  if (grid.named) parts.push_back(tile_name(t, block, number, here, threads));
  parts.push_back(tile_strips(t, block, largest).grows());
  draw({pen, t}, column(t.px(1), std::move(parts)), inside);
  if (block.stuck > 0) draw_stuck_frame(pen, t, inside);
}

/// What the tiles' colours mean.
std::string meaning_of(const LaunchOverview& all, bool strips, const std::string& array) {
  return !strips ? tr("each square a block: the greener, the more of its threads work")
         : all.array >= first_shared
             ? tr("{} of each block: yellow written, blue read in this step; green: threads at work", array)
             : tr("where each block works in {}: yellow written, blue read; green: threads at work", array);
}

}  // namespace

void draw_blocks(Pen& pen, const Theme& t, const ArrayGrid& grid, const StepView& v, int home, float y) {
  const std::shared_ptr<const LaunchOverview> all = overview_of(v);
  const std::string array = v.array(v.to.array).name;
  const int blocks = int(all->blocks.size());
  const float size = t.label(), caption_y = grid.bottom - size * 0.6f;
  const TileGrid tiles = tile_grid(t, grid.width, y, caption_y - size, blocks);
  for (int b = 0; b < blocks; ++b) {
    const LaunchOverview::BlockOverview& block = all->blocks[size_t(b)];
    const Box whole = tiles.box(b), inside{whole.x, whole.y, whole.w - tiles.gap, whole.h - tiles.gap};
    draw_tile(pen, t, block, all->largest, b, b == home, v.threads, tiles, inside);
    if (b == home)
      pen.rect(grown(inside, tiles.gap > 0 ? std::min(t.px(3), tiles.gap / 2) : t.px(1)), 0, t.ink, t.px(2),
               t.px(3));
    press(pen, t,
          {.what = HitRegion::button,
           .box = whole,
           .a = b,
           .tip = tip_of(block, b, v.threads, array),
           .name = "block:" + std::to_string(b),
           .press = [b](LoadedState& now, float) {
             now = to_block(std::move(now), b);
             now.of<WatchState>().all_blocks = false;
           }});
  }
  pen.text({margin(t), caption_y},
           pen.fitted(meaning_of(*all, tiles.strips, array), grid.width - 2 * margin(t), size), size, t.ink2);
}

}  // namespace bscope
