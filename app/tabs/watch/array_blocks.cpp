// Every block of a launch, small: its cells as a strip, who works as a strip below. A click goes to the
// block.
#include <algorithm>

#include "app/draw/cells.hpp"
#include "app/draw/chart.hpp"
#include "app/session/state.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/launch_overview.hpp"

namespace bscope {
namespace {

/// Kept between frames.
std::shared_ptr<const LaunchOverview> glance_of(const Scene& v) {
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

/// A block where there is room for strips: its name and how many work, its cells, its threads.
LayoutNode tile(const Scene& v, const LaunchOverview& all, int number, bool named) {
  const Theme& t = v.theme;
  const LaunchOverview::BlockOverview& b = all.blocks[size_t(number)];
  const bool here = number == v.home;
  std::vector<LayoutNode> parts;
  if (named)
    parts.push_back(row(
        v.px(10),
        {line({tr("block {}", number)}, {.size = t.label(),
                                         .colour = here ? t.ink : t.ink2,
                                         .font = here ? Font::text_bold : Font::text,
                                         .cut = true}),
         space(0).grows(),
         line({std::to_string(b.working) + "/" + std::to_string(v.threads)}, {t.label(), t.ink2, Font::mono})
             .gives(1)}));
  if (!b.there) {
    parts.push_back(drawing(0, 0, [](const DrawContext& p, Box box) {
                      p.pen.hatch(box, mix(p.t.idle, p.t.panel, 0.3f), p.t.px(7), p.t.px(1));
                    }).grows());
    return column(v.px(1), std::move(parts));
  }
  std::vector<Colour> cells, lanes;
  for (size_t k = 0; k < b.touched.size(); ++k)
    cells.push_back(b.touched[k] == LaunchOverview::writes  ? t.changed
                    : b.touched[k] == LaunchOverview::reads ? mix(t.read, t.cell, 0.75f)
                    : b.values.empty()                      ? t.cell
                                       : shade(t, double(b.values[k]), double(all.largest)));
  for (const bool works : b.lanes) lanes.push_back(works ? t.thread : mix(t.idle, t.panel, 0.35f));
  parts.push_back(
      floors(v.px(1), {{0.72f, strip(std::move(cells))}, {0.28f, strip(std::move(lanes))}}).grows());
  return column(v.px(1), std::move(parts));
}

std::string tip_of(const Scene& v, const LaunchOverview::BlockOverview& b, int number) {
  if (!b.there) return tr("Block {} has ended before this step. Click to go there.", number);
  return tr("Block {}: {} of {} threads work, {} writes to {}. Click to go there.", number, b.working,
            v.threads, b.writes, v.array_name(v.to.array));
}

}  // namespace

void draw_blocks(Scene& v, float bottom) {
  const std::shared_ptr<const LaunchOverview> all = glance_of(v);
  const Theme& t = v.theme;
  const int blocks = int(all->blocks.size());
  const float size = v.label_size(), caption_y = bottom - size * 0.6f, left = margin(t);
  const float room_w = v.picture.width - 2 * left, room_h = caption_y - size - v.y;
  // tiles as square as cells allow: about five times as wide as high
  int columns = 1, rows = blocks;
  float best = 0;
  for (int c = 1; c <= blocks; ++c) {
    const int r = (blocks + c - 1) / c;
    const float score = std::min(room_w / float(c), room_h / float(r) * 5);
    if (score > best) best = score, columns = c, rows = r;
  }
  const float w = std::min(room_w / float(columns), v.px(300)), h = std::min(room_h / float(rows), v.px(78));
  const float gap = w > v.px(24) && h > v.px(14) ? v.px(6) : w > v.px(6) && h > v.px(6) ? v.px(1) : 0;
  const bool named = h - gap >= size * 1.2f + v.px(14) && w - gap > v.px(60);
  const bool strips = w - gap >= v.px(14) && h - gap >= v.px(8);
  for (int b = 0; b < blocks; ++b) {
    const LaunchOverview::BlockOverview& block = all->blocks[size_t(b)];
    const Box whole{left + float(b % columns) * w, v.y + float(b / columns) * h, w, h};
    const Box inside{whole.x, whole.y, w - gap, h - gap};
    if (strips) {
      draw({v.pen, t}, tile(v, *all, b, named), inside);
    } else {
      // too many for strips: one colour a block, how many of its threads work
      const float share = v.threads ? float(block.working) / float(v.threads) : 0;
      v.pen.rect(inside, mix(t.thread, t.cell, block.working ? 0.2f + 0.8f * share : 0.0f));
    }
    if (b == v.home)
      v.pen.rect(grown(inside, gap > 0 ? std::min(v.px(3), gap / 2) : v.px(1)), 0, t.ink, v.px(2), v.px(3));
    press(v.pen, t,
          {.what = HitRegion::button,
           .box = whole,
           .a = b,
           .tip = tip_of(v, block, b),
           .name = "block:" + std::to_string(b),
           .press = [b](State& now, float) {
             now = to_block(std::move(now), b);
             now.of<WatchState>().all_blocks = false;
           }});
  }
  const std::string array = v.array_name(all->array);
  const std::string what =
      !strips ? tr("each square a block: the greener, the more of its threads work")
      : all->array >= first_shared
          ? tr("{} of each block: yellow written, blue read in this step; green: threads at work", array)
          : tr("where each block works in {}: yellow written, blue read; green: threads at work", array);
  v.pen.text({left, caption_y}, v.pen.fitted(what, room_w, size), size, t.ink2);
}

}  // namespace bscope
