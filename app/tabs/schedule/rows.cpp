// Multiprocessors down, time across: blocks as bars, who waits for whom, and above them the warps that were
// there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "app/draw/controls.hpp"
#include "app/session/state.hpp"
#include "app/tabs/schedule/sheet.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/run.hpp"
#include "engine/timing/timeline_rows.hpp"

namespace bscope {
namespace {

constexpr float thinnest = 2.5f;  // of a bar, in pixels: below, a row shows what most of its blocks are at

/// Where times stand, and the rows' own room.
Box plot_of(const ScheduleSheet& s, Box room) {
  return {room.x + s.name_width, room.y, room.w - s.name_width, room.h};
}

/// Wheel and press on empty ground; zooms about this moment.
std::function<void(LoadedState&, float)> zooms_about(double share) {
  return [share](LoadedState& state, float up) {
    ScheduleState& look = state.of<ScheduleState>();
    const int before = look.zoom;
    look.zoom = std::clamp(look.zoom + (up > 0 ? 2 : -2), 0, ScheduleState::most_zoom);
    // What is under the mouse stays there.
    const double wide = std::exp2(-before / 4.0), now = std::exp2(-look.zoom / 4.0);
    const double middle =
        std::clamp(look.moment / double(ScheduleState::most_moment), wide / 2, 1 - wide / 2);
    const double to = share + (middle - share) * now / wide;
    look.moment = int(std::lround(std::clamp(to, 0.0, 1.0) * ScheduleState::most_moment));
  };
}

HitAction chooses(int launch, int block) {
  return [launch, block](LoadedState& s, float) {
    ScheduleState& look = s.of<ScheduleState>();
    if (look.launch == launch && look.block == block) {
      look.block = -1;
      return;
    }
    look.launch = launch;
    look.block = block;
    // The open run is shorter: it goes along where it has such a block.
    if (s.cursor.launch == launch && launch < int(s.run->trace.launches.size()) &&
        block < s.run->trace.launches[size_t(launch)].grid)
      s = to_block(std::move(s), block);
  };
}

std::string words_of(WarpActivity d) {
  switch (d) {
    case WarpActivity::barrier: return tr("waits at a barrier");
    case WarpActivity::tiles: return tr("waits for other blocks");
    case WarpActivity::copy: return tr("waits for the copy engine");
    case WarpActivity::work: break;
  }
  return tr("at work");
}

Colour hatch_on(const ScheduleSheet& s, Colour ground) {
  return mix(s.t.ink2, ground, s.t.dark() ? 0.3f : 0.4f);
}

/// Where a row has no bars because none are kept.
Colour unkept_hatch(const Theme& t) { return mix(t.ink3, t.paper(), 0.5f); }

/// A stretch of a bar: what waits is lighter, and hatched where that can be seen. Returns whether it is.
bool stretch(const ScheduleSheet& s, Pen& pen, Box b, WarpActivity activity, int phase) {
  pen.rect(b, s.fill(activity, phase));
  if (activity != WarpActivity::barrier || b.w < s.t.px(9) || b.h < s.t.px(7)) return false;
  pen.hatch(b, hatch_on(s, s.fill(activity, phase)), s.t.px(6), s.t.thin());
  return true;
}

/// Stretches from left to right, those that are narrower than a pixel put together. Returns whether one is
/// hatched.
template <class Stretches>
bool stretches(const ScheduleSheet& s, Pen& pen, Box plot, float y, float h, const Stretches& all,
               long long since, auto phase_of) {
  float drawn = plot.x;
  bool hatched = false;
  for (const auto& one : all) {
    const float from = std::max(s.x(plot, double(since + one.begin)), drawn),
                to = std::min(s.x(plot, double(since + one.end)), plot.right());
    if (to - from < 0.75f && to < plot.right() - 1) continue;
    if (to <= from) continue;
    hatched |= stretch(s, pen, {from, y, to - from, h}, one.activity, phase_of(one));
    drawn = to;
  }
  return hatched;
}

/// Returns whether a part of it is hatched.
bool bar(const ScheduleSheet& s, Pen& pen, Box plot, const TimelineRows::BlockBar& b, float y, float h) {
  const TimelineLaunch& l = s.timeline.launches[size_t(b.launch)];
  const TimelineBlock& block = s.block(b.launch, b.block);
  const float from = std::max(plot.x, s.x(plot, double(b.begin))),
              to = std::min(plot.right(), s.x(plot, double(b.end)));
  const float gap = h >= 8 ? 1.0f : h >= 4 ? 0.5f : 0;
  const Box box{from, y, to - from, h - gap};
  const float of_warp = box.h / float(block.warps.size());
  bool hatched = false;
  if (block.warps.size() > 1 && of_warp >= 3) {
    // as high as that, each warp has its own
    const long long since = s.schedule.launches[size_t(b.launch)].begin;
    for (size_t w = 0; w < block.warps.size(); ++w)
      hatched |= stretches(s, pen, plot, y + of_warp * float(w), of_warp - 0.5f,
                           stretches_of(l, block.warps[w]), since, [&](const TimelineStretch& one) {
                             const auto it = std::ranges::find(s.schedule.phases, phase_name(l, one.line));
                             return int(it - s.schedule.phases.begin());
                           });
  } else {
    hatched = stretches(s, pen, plot, y, box.h, b.stretches, 0,
                        [](const TimelineRows::Stretch& one) { return one.phase; });
  }
  const bool chosen = s.chosen(b.launch, b.block);
  if (chosen) pen.rect(box, 0, s.t.present(), s.t.thin(2));
  const std::string number = std::to_string(block.number);
  if (const float size = std::min(s.t.small(), box.h * 0.8f);
      size >= s.t.least() && !s.t.projector() && box.w > pen.width(number, size, Font::mono) * 2 &&
      of_warp < 3) {
    const Colour ground = s.fill(b.stretches.front().activity, b.stretches.front().phase);
    const float first = std::min(to, s.x(plot, double(b.stretches.front().end))) - from;
    if (first > pen.width(number, size, Font::mono) + s.t.px(6))
      pen.text({from + s.t.px(3), box.centre().y}, number, size, s.t.on(ground), Font::mono);
  }
  if (box.w < 2 || s.t.printed) return hatched;
  std::string tip = tr("Block {} on multiprocessor {}: {} after the run began, for {}.", block.number,
                       block.multiprocessor, s.time(double(b.begin)), s.time(double(b.end - b.begin)));
  std::map<int, double> of_doing;
  for (const TimelineRows::Stretch& one : b.stretches)
    of_doing[int(one.activity)] += double(one.end - one.begin) / double(std::max(1LL, b.end - b.begin));
  for (const auto& [activity, share] : of_doing)
    if (share >= 0.005)
      tip += " " + capitalised(words_of(WarpActivity(activity))) + ": " + percent_text(share) + ".";
  pen.hit({.what = HitRegion::other,
           .box = box,
           .tip = std::move(tip),
           .name = "block " + std::to_string(b.launch) + ":" + number,
           .press = chooses(b.launch, block.number),
           .wheel = zooms_about(((box.x + box.right()) / 2 - plot.x) / plot.w * (s.end - s.begin) /
                                    double(s.schedule.end) +
                                s.begin / double(s.schedule.end))});
  return hatched;
}

/// A row that is too low for its bars: of each column, what most blocks are at.
void crowded(const ScheduleSheet& s, Pen& pen, Box plot, const TimelineRows::MultiprocessorRow& row, float y,
             float h) {
  const size_t columns = size_t(std::max(1.0f, plot.w / std::max(2.0f, s.t.px(2)))),
               kinds = 4 * s.phases.size();
  std::vector<float> shares(columns * kinds, 0);
  const double scale = double(columns) / (s.end - s.begin);
  for (const TimelineRows::BlockBar& b : row.bars) {
    if (double(b.end) <= s.begin || double(b.begin) >= s.end) continue;
    for (const TimelineRows::Stretch& one : b.stretches) {
      const double from = std::max(0.0, (double(one.begin) - s.begin) * scale),
                   to = std::min(double(columns), (double(one.end) - s.begin) * scale);
      const size_t kind = 4 * size_t(one.phase) + size_t(one.activity);
      for (size_t k = size_t(from); double(k) < to; ++k)
        shares[k * kinds + kind] += float(std::min(to, double(k + 1)) - std::max(from, double(k)));
    }
  }
  std::vector<Colour> fills;
  for (size_t kind = 0; kind < kinds; ++kind) fills.push_back(s.fill(WarpActivity(kind % 4), int(kind / 4)));
  std::vector<Colour> colours(columns, s.t.paper());
  for (size_t k = 0; k < columns; ++k) {
    const auto begin = shares.begin() + ptrdiff_t(k * kinds);
    const auto most = std::max_element(begin, begin + ptrdiff_t(kinds));
    if (*most > 0) colours[k] = fills[size_t(most - begin)];
  }
  pen.strip({plot.x, y, plot.w, h}, std::move(colours));
}

/// Ticks of the time, in microseconds.
void time_axis(const ScheduleSheet& s, Pen& pen, Box plot, float y) {
  const double from = s.us(s.begin), to = s.us(s.end);
  if (to <= from) return;
  double step = std::pow(10, std::floor(std::log10((to - from) / 4)));
  for (const double more : {2.0, 2.5, 2.0})
    if ((to - from) / step > 7) step *= more;
  const int decimals = std::max(0, -int(std::floor(std::log10(step) + 1e-9)));
  const float size = s.t.small();
  float free = plot.x;
  for (double at = std::ceil(from / step) * step; at <= to; at += step) {
    const float x = s.x(plot, at * s.timeline.clock_mhz);
    pen.line({x, plot.y}, {x, plot.bottom()}, with_alpha(s.t.line, 0.55f), s.t.thin());
    const std::string words = decimals ? fmt::format("{:.{}f}", at, decimals) : grouped(std::llround(at));
    const float w = pen.width(words, size);
    if (x - w / 2 < free || x + w / 2 > plot.right()) continue;
    pen.text({x, y}, words, size, s.t.ink2, Font::text, Align::centre);
    free = x + w / 2 + s.t.px(10);
  }
}

/// From the warp that published last of what was waited for to the warp that waited.
void wait_arrows(const ScheduleSheet& s, Pen& pen, Box plot, float slot) {
  const auto centre = [&](int launch, int block, long long at) -> std::optional<Point> {
    int above = 0;
    for (size_t k = s.first; k < s.first + s.rows; above += s.schedule.rows[k++].slots)
      for (const TimelineRows::BlockBar& b : s.schedule.rows[k].bars)
        if (b.launch == launch && b.block == block)
          return Point{s.x(plot, double(at)), plot.y + slot * (float(above + b.slot) + 0.5f)};
    return {};
  };
  int chosen = -1;
  if (s.in.look.block >= 0 && s.in.look.launch < int(s.timeline.launches.size())) {
    const auto& blocks = s.timeline.launches[size_t(s.in.look.launch)].blocks;
    const auto it = std::ranges::find(blocks, s.in.look.block, &TimelineBlock::number);
    if (it == blocks.end()) return;
    chosen = int(it - blocks.begin());
  }
  const Colour colour = s.t.present();
  std::vector<const TimelineRows::Wait*> all = waits_of(s.schedule, s.in.look.launch, chosen);
  if (!all.empty()) {
    // What its first wait was for had waited, too.
    auto before = chain_of(s.schedule, *all.front());
    all.insert(all.begin(), before.rbegin(), before.rend() - 1);
  }
  int number = 0;
  for (const TimelineRows::Wait* w : all) {
    ++number;
    if (w->from < 0) continue;
    const auto from = centre(w->launch, w->from, w->published), to = centre(w->launch, w->block, w->end);
    if (!from || !to || std::max(from->x, to->x) < plot.x || std::min(from->x, to->x) > plot.right())
      continue;
    const Point a{clamp_or_least(from->x, plot.x, plot.right()), from->y},
        b{clamp_or_least(to->x, plot.x, plot.right()), to->y};
    pen.line(a, b, colour, s.t.px(1.75f, 3));
    pen.disc(a, s.t.px(3, 5), colour);
    if (std::hypot(b.x - a.x, b.y - a.y) > s.t.px(10))
      pen.arrow_head(b, {b.x - a.x, b.y - a.y}, s.t.px(8, 14), colour);
    if (s.t.printed) continue;
    pen.hit(
        {.what = HitRegion::other,
         .box = {b.x - s.t.px(6), b.y - s.t.px(6), s.t.px(12), s.t.px(12)},
         .tip = tr("Block {} waited {} for tiles {} to {}: the last of them, {}, was published by block {}.",
                   s.block(w->launch, w->block).number, s.time(double(w->end - w->begin)), w->tiles.first,
                   w->tiles.last, w->from_tile, s.block(w->launch, w->from).number),
         .name = "wait " + std::to_string(number)});
  }
}

/// Returns whether waits at a barrier are hatched in it.
bool draw_rows(const ScheduleSheet& s, Pen& pen, Box room) {
  const Theme& t = s.t;
  const float axis = t.small() * 1.7f;
  Box plot = plot_of(s, room);
  plot.h -= axis;
  const float slot = plot.h / float(s.slots);
  pen.rect(plot, t.paper());
  time_axis(s, pen, plot, plot.bottom() + axis * 0.55f);
  // Empty ground answers to the wheel, too.
  constexpr int grounds = 24;
  if (!t.printed)
    for (int k = 0; k < grounds; ++k)
      pen.hit({.what = HitRegion::other,
               .box = {plot.x + plot.w * float(k) / grounds, plot.y, plot.w / grounds, plot.h},
               .tip = {},
               .name = "ground " + std::to_string(k),
               .press = [](LoadedState& state, float) { state.of<ScheduleState>().block = -1; },
               .wheel = zooms_about((s.begin + (s.end - s.begin) * (k + 0.5) / grounds) /
                                    double(s.schedule.end))});
  bool hatched = false;
  float named = plot.y - 1, y = plot.y;
  for (size_t k = 0; k < s.rows; ++k) {
    const TimelineRows::MultiprocessorRow& row = s.schedule.rows[s.first + k];
    const float high = slot * float(row.slots);
    if (slot >= thinnest) {
      const float gap = high >= 12 ? std::min(t.px(3), high * 0.12f) : 0;
      const float h = (high - gap) / float(row.slots);
      for (const TimelineRows::BlockBar& b : row.bars)
        if (double(b.end) > s.begin && double(b.begin) < s.end)
          hatched |= bar(s, pen, plot, b, y + h * float(b.slot), h);
    } else {
      crowded(s, pen, plot, row, y, std::max(1.0f, high - (high > 4 ? 1.0f : 0.0f)));
    }
    for (const TimelineRows::TimeSpan& span : row.unkept) {
      const float from = std::max(plot.x, s.x(plot, double(span.begin))),
                  to = std::min(plot.right(), s.x(plot, double(span.end)));
      if (to > from) pen.hatch({from, y, to - from, high}, unkept_hatch(t), t.px(10), t.thin());
    }
    const float size = t.small();
    if (y + high / 2 - size * 0.6f > named && y + high / 2 + size * 0.6f < plot.bottom() + size) {
      pen.text({plot.x - t.px(8), y + high / 2}, std::to_string(row.multiprocessor), size, t.ink2, Font::mono,
               Align::right);
      named = y + high / 2 + size * 0.6f;
    }
    y += high;
  }
  // Where a launch ends and the next begins.
  for (size_t k = 1; k < s.schedule.launches.size(); ++k) {
    const float x = s.x(plot, double(s.schedule.launches[k].begin));
    if (x > plot.x && x < plot.right()) pen.line({x, plot.y}, {x, plot.bottom()}, t.ink2, t.thin(1.5f), 5);
  }
  wait_arrows(s, pen, plot, slot);
  pen.rect(plot, 0, t.line, t.thin());
  return hatched;
}

/// What the colours of the rows mean. `hatched`: waits at a barrier are wide enough for a hatch.
LayoutNode legend_of_rows(const ScheduleSheet& s, bool hatched) {
  const Theme& t = s.t;
  std::vector<Meaning> meanings, waiting;
  for (size_t k = 0; k < s.phases.size(); ++k)
    meanings.push_back(
        {.words = s.schedule.phases[k].empty() ? tr("before the first phase") : tr(s.schedule.phases[k]),
         .colour = s.phases[k]});
  std::optional<int> waits[4];  // the first phase in which warps wait so
  for (const TimelineRows::MultiprocessorRow& row : s.schedule.rows)
    for (const TimelineRows::BlockBar& b : row.bars)
      for (const TimelineRows::Stretch& one : b.stretches) {
        std::optional<int>& phase = waits[size_t(one.activity)];
        phase = std::min(phase.value_or(one.phase), one.phase);
      }
  for (const WarpActivity d : {WarpActivity::barrier, WarpActivity::tiles, WarpActivity::copy})
    if (const std::optional<int> phase = waits[size_t(d)]) {
      // faint as it is, a swatch of it needs an edge to be seen
      const Colour fill = s.fill(d, *phase);
      const bool faint = d == WarpActivity::barrier;
      waiting.push_back({.words = words_of(d),
                         .colour = fill,
                         .hatch = hatched && faint ? hatch_on(s, fill) : 0,
                         .edge = faint ? mix(t.ink3, t.panel, 0.7f) : 0});
    }
  if (std::ranges::any_of(s.schedule.rows,
                          [](const TimelineRows::MultiprocessorRow& row) { return !row.unkept.empty(); }))
    waiting.push_back({.words = tr("no blocks kept"), .colour = t.paper(), .hatch = unkept_hatch(t)});
  meanings.insert(meanings.end(), waiting.begin(), waiting.end());
  return row(0, {legend(std::move(meanings)).gives(1).or_else(legend(std::move(waiting)))});
}

}  // namespace

LayoutNode schedule_rows(const ScheduleSheet& s) {
  const Theme& t = s.t;
  const size_t all = s.schedule.rows.size();
  const int whole = s.timeline.multiprocessors;
  return column(
      t.close(),
      {row(t.apart(),
           {line({tr("Blocks on their multiprocessors, us"), tr("Blocks, us")}, heading_look(t)).gives(3),
            line({int(all) < whole ? tr("{} of {} multiprocessors", s.rows, whole)
                                   : tr("{} multiprocessors", s.rows)},
                 s.label(t.ink2))
                .gives(2),
            space(0).grows()}),
       // the rows come first: the legend names no hatch that they have no room for
       drawing(0, t.px(120) + t.label() * 1.5f, [s](const DrawContext& p, Box b) {
         const float high = legend_of_rows(s, true).height_at(p, b.w), gap = p.t.close();
         const bool hatched = draw_rows(s, p.pen, {b.x, b.y + high + gap, b.w, b.h - high - gap});
         draw(p, legend_of_rows(s, hatched), {b.x, b.y, b.w, high});
       }).grows()});
}

LayoutNode schedule_warps(const ScheduleSheet& s) {
  const Theme& t = s.t;
  double most = 1;
  for (const TimelineRows::Resident& r : s.schedule.resident) most = std::max(most, r.all());
  const TimelineRows::Resident mean = resident_between(s.schedule, (long long)(s.begin), (long long)(s.end));
  const auto number = [](double v) { return fmt::format("{:.1f}", v); };
  std::vector<Meaning> meanings{{.words = tr("at work"), .colour = t.read}};
  if (std::ranges::any_of(s.schedule.resident, [](const auto& r) { return r.awaiting > 1e-6; }))
    meanings.push_back({.words = tr("for other blocks or the copy engine"), .colour = t.write});
  meanings.push_back({.words = tr("at a barrier"), .colour = mix(t.ink3, t.paper(), 0.45f)});
  const auto drawn = [s, most](const DrawContext& p, Box room) {
    const Theme& t = s.t;
    const Box plot = plot_of(s, room);
    p.pen.rect(plot, t.paper());
    const float column = std::max(1.5f, t.px(2));
    const int columns = std::max(1, int(plot.w / column));
    for (int k = 0; k < columns; ++k) {
      const double wide = (s.end - s.begin) / columns, from = s.begin + wide * k;
      const TimelineRows::Resident r =
          resident_between(s.schedule, std::llround(from), std::llround(from + std::max(wide, 1.0)));
      const float x = plot.x + plot.w * float(k) / float(columns), w = plot.w / float(columns) + 0.3f;
      float y = plot.bottom();
      for (const auto& [warps, colour] : {std::pair{r.working, t.read}, std::pair{r.awaiting, t.write},
                                          std::pair{r.at_barrier, mix(t.ink3, t.paper(), 0.45f)}}) {
        const auto h = float(warps / most) * plot.h * 0.94f;
        if (h > 0.2f) p.pen.rect({x, y - h, std::min(w, plot.right() - x), h}, colour);
        y -= h;
      }
    }
    p.pen.text({plot.x - t.px(8), plot.y + plot.h * 0.06f + t.small() * 0.5f}, fmt::format("{:.0f}", most),
               t.small(), t.ink2, Font::mono, Align::right);
    p.pen.text({plot.x - t.px(8), plot.bottom() - t.small() * 0.5f}, "0", t.small(), t.ink2, Font::mono,
               Align::right);
    p.pen.rect(plot, 0, t.line, t.thin());
  };
  return column(
      t.close(),
      {row(t.apart(), {line({tr("Warps on a multiprocessor"), tr("Warps")}, heading_look(t)).gives(3),
                       line({tr("{} on average in view, {} of them waiting", number(mean.all()),
                                number(mean.all() - mean.working)),
                             tr("{} in view", number(mean.all()))},
                            s.label(t.ink2))
                           .gives(2),
                       space(0).grows(), legend(std::move(meanings)).gives(1)}),
       drawing(0, t.px(30), drawn).grows()});
}

}  // namespace bscope
