// Every block of a launch, small: its cells as a strip, who works as a strip below. A click goes to the
// block.
#include <algorithm>
#include <cmath>

#include "app/draw/chart.hpp"
#include "app/session/state.hpp"
#include "app/tabs/watch/array_parts.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// One block at one interval, as columns of at most `most_columns`.
struct Small {
  int working = 0, changed = 0;
  bool there = false;            ///< it has this interval
  std::vector<float> values;     ///< the largest of each column; of a shared array
  std::vector<uint8_t> touched;  ///< of each column: 1 read, 2 written
  std::vector<bool> lanes;       ///< who works, one a column of threads
};
constexpr int most_columns = 64;

/// All blocks of a launch at one interval. Kept between frames.
struct Grid {
  int launch = -1, interval = -1, array = -1;
  float largest = 0;
  std::vector<Small> blocks;
};

std::shared_ptr<const Grid> grid_of(const Scene& v) {
  std::shared_ptr<const void>& kept = v.model.kept("blocks");
  const int launch = v.block.launch, interval = v.step.interval->index, array = v.to.array;
  if (auto old = std::static_pointer_cast<const Grid>(kept);
      old && old->launch == launch && old->interval == interval && old->array == array)
    return old;
  auto made = std::make_shared<Grid>();
  made->launch = launch;
  made->interval = interval;
  made->array = array;
  const Flow& flow = v.model.flow();
  const Launch& l = v.model.trace().launches[size_t(launch)];
  const int cells = v.model.array(launch, array).size, columns = std::min(cells, most_columns);
  const int threads = std::min(v.threads, most_columns);
  made->blocks.resize(size_t(l.grid));
  for (int b = 0; b < l.grid; ++b) {
    Small& s = made->blocks[size_t(b)];
    const auto intervals = flow.of_block(launch, b);
    s.there = interval < int(intervals.size());
    if (!s.there) continue;
    const Interval& i = intervals[size_t(interval)];
    s.touched.resize(size_t(columns));
    s.lanes.resize(size_t(threads));
    std::vector<bool> works(size_t(v.threads));
    for (int id : i.nodes) {
      const Node& n = flow.nodes[size_t(id)];
      const int rank = n.thread - b * v.threads;
      if (!works[size_t(rank)]) {
        works[size_t(rank)] = true;
        ++s.working;
        s.lanes[size_t(int64_t(rank) * threads / v.threads)] = true;
      }
      if (n.place.array != array) continue;
      uint8_t& t = s.touched[size_t(int64_t(n.place.index) * columns / cells)];
      t = std::max<uint8_t>(t, writes(n.op) ? 2 : 1);
      s.changed += writes(n.op);
    }
    if (array < first_shared) continue;
    s.values = largest_in_parts(shared_state(v.model.trace(), i, array), 0, cells, columns);
    for (float value : s.values) made->largest = std::max(made->largest, value);
  }
  kept = made;
  return made;
}

std::string tip_of(const Scene& v, const Small& s, int b) {
  if (!s.there) return say("Block {} has ended before this step. Click to go there.", b);
  return say("Block {}: {} of {} threads work, {} writes to {}. Click to go there.", b, s.working, v.threads,
             s.changed, v.array_name(v.to.array));
}

}  // namespace

void draw_blocks(Scene& v, float bottom) {
  const std::shared_ptr<const Grid> grid = grid_of(v);
  const int blocks = int(grid->blocks.size());
  const float size = v.label_size();
  // what the colours mean
  const float caption_y = bottom - size * 0.6f;
  const bool shared = grid->array >= first_shared;
  const float left = margin(v.theme), right = v.picture.width - margin(v.theme);
  const float room_w = right - left, room_h = caption_y - size - v.y;
  // tiles as square as cells allow: about five times as wide as high
  int columns = 1, rows = blocks;
  float best = 0;
  for (int c = 1; c <= blocks; ++c) {
    const int r = (blocks + c - 1) / c;
    const float w = room_w / float(c), h = room_h / float(r);
    const float score = std::min(w, h * 5);
    if (score > best) best = score, columns = c, rows = r;
  }
  const float w = std::min(room_w / float(columns), v.px(300)), h = std::min(room_h / float(rows), v.px(78));
  const float gap = w > v.px(24) && h > v.px(14) ? v.px(6) : w > v.px(6) && h > v.px(6) ? v.px(1) : 0;
  const bool named = h - gap >= size * 1.2f + v.px(14) && w - gap > v.px(60);
  const bool strips = w - gap >= v.px(14) && h - gap >= v.px(8);
  for (int b = 0; b < blocks; ++b) {
    const Small& s = grid->blocks[size_t(b)];
    const Box tile{left + float(b % columns) * w, v.y + float(b / columns) * h, w - gap, h - gap};
    const bool here = b == v.home;
    if (!strips) {
      // too many for strips: one colour a block, how many of its threads work
      const float share = v.threads ? float(s.working) / float(v.threads) : 0;
      const Colour fill =
          !s.there ? v.theme.cell : mix(v.theme.thread, v.theme.cell, s.working ? 0.2f + 0.8f * share : 0.0f);
      v.pen.rect(tile, fill);
    } else {
      float y = tile.y;
      if (named) {
        const std::string name = say("block {}", b);
        v.pen.text({tile.x, y + size * 0.62f}, v.pen.fitted(name, tile.w, size), size,
                   here ? v.theme.ink : v.theme.ink2, here ? Font::text_bold : Font::text);
        const std::string work = std::to_string(s.working) + "/" + std::to_string(v.threads);
        if (v.pen.width(name, size, Font::text_bold) + v.pen.width(work, size, Font::mono) + v.px(10) <
            tile.w)
          v.pen.text({tile.right(), y + size * 0.62f}, work, size, v.theme.ink2, Font::mono, Align::right);
        y += size * 1.25f;
      }
      const float work_h = std::clamp((tile.bottom() - y) * 0.28f, v.px(2), v.px(8)),
                  cells_h = tile.bottom() - y - work_h - v.px(1);
      if (!s.there) {
        v.pen.hatch({tile.x, y, tile.w, tile.bottom() - y}, mix(v.theme.idle, v.theme.panel, 0.3f), v.px(7),
                    v.px(1));
      } else {
        std::vector<Colour> cells, lanes;
        for (size_t k = 0; k < s.touched.size(); ++k)
          cells.push_back(s.touched[k] == 2   ? v.theme.changed
                          : s.touched[k] == 1 ? mix(v.theme.read, v.theme.cell, 0.75f)
                          : s.values.empty()  ? v.theme.cell
                                              : shade(v.theme, double(s.values[k]), double(grid->largest)));
        v.pen.strip({tile.x, y, tile.w, cells_h}, std::move(cells));
        for (size_t k = 0; k < s.lanes.size(); ++k)
          lanes.push_back(s.lanes[k] ? v.theme.thread : mix(v.theme.idle, v.theme.panel, 0.35f));
        v.pen.strip({tile.x, y + cells_h + v.px(1), tile.w, work_h}, std::move(lanes));
      }
    }
    if (here) {
      const float out = gap > 0 ? std::min(v.px(3), gap / 2) : v.px(1);
      v.pen.rect(grown(tile, out), 0, v.theme.ink, v.px(2), v.px(3));
    }
    press(v.pen, v.theme,
          {.what = Hit::button,
           .box = {tile.x, tile.y, w, h},
           .a = b,
           .tip = tip_of(v, s, b),
           .name = "block:" + std::to_string(b),
           .press = [b](State& now, float) {
             now = to_block(std::move(now), b);
             now.of<WatchState>().all_blocks = false;
           }});
  }
  const std::string what =
      !strips  ? say("each square a block: the greener, the more of its threads work")
      : shared ? say("{} of each block: yellow written, blue read in this step; green: threads at work",
                     v.array_name(grid->array))
               : say("where each block works in {}: yellow written, blue read; green: threads at work",
                     v.array_name(grid->array));
  v.pen.text({left, caption_y}, v.pen.fitted(what, room_w, size), size, v.theme.ink2);
}

}  // namespace bscope
