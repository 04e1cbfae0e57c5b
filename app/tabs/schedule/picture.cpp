#include "app/tabs/schedule/picture.hpp"

#include <algorithm>
#include <cmath>

#include "app/draw/upright.hpp"
#include "app/measure/timeline_bench.hpp"
#include "app/tabs/schedule/sheet.hpp"
#include "app/words/counting.hpp"

namespace bscope {
namespace {

/// A colour for each phase: the theme's for its name, and where that is taken, one that is free.
std::vector<Colour> phase_colours(const Theme& t, const std::vector<std::string>& names) {
  std::vector<Colour> free{t.phase_up,
                           t.phase_down,
                           t.phase_clear,
                           mix(t.conflict, t.panel, 0.45f),
                           mix(t.thread, t.panel, 0.45f),
                           mix(t.atomic, t.panel, 0.6f),
                           mix(t.ink3, t.panel, 0.6f),
                           t.phase_load};
  std::vector<Colour> all;
  for (const std::string& name : names) {
    Colour c = name.empty() ? t.phase_load : t.phase(name);
    if (const auto it = std::ranges::find(free, c); it != free.end())
      free.erase(it);
    else if (!free.empty())
      c = free.front(), free.erase(free.begin());
    all.push_back(c);
  }
  return all;
}

/// Nothing to draw: what to do, in the middle of all the room.
LayoutNode nothing_here(const Theme& t, const ScheduleInput& in) {
  if (!in.awaited.empty()) return text({{tr(in.awaited), t.ink2}}, {.size = t.label()});
  const std::string then =
      !in.file.empty()
          ? tr("Schedules are recorded of the built-in kernels only. How long the launches of {} take on a "
               "GPU, its Time tab shows (6).",
               in.file)
      : !in.recordable
          ? tr("Schedules are recorded of the catalog's reductions, scans and histograms alone: these "
               "kernels can read a multiprocessor's clock.")
      : in.gpu.empty()
          ? tr("No GPU has been recorded running this kernel, and there is none here. Others have: try "
               "reduce/shared, scan/look-back or histogram/shared-atomics.")
          : tr("Press Record to run it on {}.", in.gpu);
  std::vector<LayoutNode> words{
      text({{tr("No schedule has been recorded for this kernel."), t.ink, Font::text_bold}},
           {.size = t.why()}),
      text({{then, t.ink2}}, {.size = t.label()}).gives(1)};
  if (in.recordable || !in.file.empty())
    words.push_back(
        text({{tr("In a terminal, on a machine with a GPU:") + " ", t.ink2},
              {in.file.empty() ? "barrierscope timeline " + in.kernel : "barrierscope time " + in.file, t.ink,
               Font::mono}},
             {.size = t.label()})
            .gives(2));
  return column(0, {line({tr("Schedule")}, heading_look(t)), space(0).grows(),
                    shares(0, {{0.15f, {}}, {0.7f, column(t.px(12), std::move(words))}, {0.15f, {}}}),
                    space(0).grows(2)});
}

}  // namespace

const ShownTimeline* ScheduleInput::shown() const {
  if (!all || all->empty()) return nullptr;
  const auto far = [&](const ShownTimeline& one) {
    const int limit = one.timeline.limit;
    if (limit == look.resident) return 0;
    // as many as fit is more than any number
    const auto number = [](int k) { return k == 0 ? 33 : k; };
    return std::abs(number(limit) - number(look.resident));
  };
  return &*std::ranges::min_element(*all, {}, far);
}

Colour ScheduleSheet::fill(WarpActivity activity, int phase) const {
  switch (activity) {
    case WarpActivity::barrier: return mix(phases[size_t(phase)], t.paper(), 0.38f);
    case WarpActivity::tiles: return t.write;
    case WarpActivity::copy: return mix(t.write, t.paper(), 0.5f);
    case WarpActivity::work: break;
  }
  return phases[size_t(phase)];
}

ScheduleSheet schedule_sheet(const Theme& t, const ScheduleInput& in, const ShownTimeline& shown) {
  ScheduleSheet s{t, in, shown.timeline, shown.schedule, phase_colours(t, shown.schedule.phases)};
  const auto all = double(std::max(1LL, s.schedule.end));
  const double wide = std::exp2(-in.look.zoom / 4.0);
  const double middle =
      std::clamp(in.look.moment / double(ScheduleState::most_moment), wide / 2, 1 - wide / 2);
  s.begin = all * (middle - wide / 2);
  s.end = all * (middle + wide / 2);
  const size_t rows = s.schedule.rows.size();
  s.rows = std::max<size_t>(1, rows >> in.look.rows_zoom);
  s.first = size_t(std::lround(double(rows - s.rows) * std::clamp(in.look.first, 0, 1000) / 1000.0));
  s.slots = 0;
  for (size_t k = 0; k < s.rows; ++k) s.slots += s.schedule.rows[s.first + k].slots;
  s.name_width = t.px(38, 62);
  return s;
}

Text schedule_verdict(const ScheduleSheet& s) {
  const Theme& t = s.t;
  if (s.timeline.launches.empty()) return {};
  const auto longest = std::ranges::max_element(s.timeline.launches, {}, &TimelineLaunch::end);
  const TimelineMeasures m = measures_of(s.timeline, *longest);
  const int places = longest->resident * s.timeline.multiprocessors;
  std::string words;
  // the strip above the rows counts all that is in view
  if (s.timeline.launches.size() > 1)
    words = tr("Launch {}, the longest:", number_among_launches(int(longest - s.timeline.launches.begin()))) +
            " ";
  words += tr("{} blocks of {} threads, room for {} on a multiprocessor: {} waves in {}.",
              grouped(longest->grid), longest->block, longest->resident,
              rate_text(places ? double(longest->grid) / places : 0), s.time(double(m.cycles)));
  if (m.warps > 0)
    words += " " + tr("{} warps were there on average, {} of them waiting.", rate_text(m.warps),
                      percent_text((m.waiting_warps + m.awaiting_warps) / m.warps));
  if (m.cycles > 0) words += " " + tr("The tail takes {}.", percent_text(double(m.tail) / double(m.cycles)));
  return {{words, t.ink2}};
}

Picture schedule_view(const ScheduleInput& in, const Theme& t, const Metrics& metrics, float w, float h) {
  Picture picture{w, h, {}, {}};
  Pen pen(picture, metrics);
  const DrawContext paper{pen, t};
  pen.rect({0, 0, w, h}, t.window);
  const ShownTimeline* shown = in.shown();
  const std::optional<ScheduleSheet> s = shown ? std::optional(schedule_sheet(t, in, *shown)) : std::nullopt;
  Box room{0, 0, w, h};
  const float gap = t.gap();
  if (!t.printed && s && is_upright(t, w, h)) {
    draw(paper,
         column(gap, {panel(schedule_warps(*s)).grows(0.3f), panel(schedule_rows(*s)).grows(),
                      panel(schedule_phases(*s)), panel(schedule_side(t, in, &*s))}),
         room);
    return picture;
  }
  if (!t.printed) {
    const float side = w * (t.projector() ? 0.25f : 0.19f);
    draw(paper, panel(schedule_side(t, in, s ? &*s : nullptr)), {0, 0, side, h});
    room = {side + gap, 0, w - side - gap, h};
  } else if (s) {
    const LayoutNode words = text(schedule_verdict(*s), {.size = t.label()});
    room.h -= words.height_at(paper, w - 2 * gap) + gap;
    draw(paper, words, {gap, room.h + gap / 2, w - 2 * gap, h - room.h - gap});
  }
  if (!s) {
    draw(paper, panel(nothing_here(t, in)), room);
    return picture;
  }
  const LayoutNode below = panel(schedule_phases(*s));
  const float lower = std::min(below.height_at(paper, room.w), room.h * (t.projector() ? 0.36f : 0.34f));
  const float above = room.h * 0.19f;
  draw(paper, panel(schedule_warps(*s)), {room.x, room.y, room.w, above});
  draw(paper, panel(schedule_rows(*s)),
       {room.x, room.y + above + gap, room.w, room.h - above - lower - 2 * gap});
  draw(paper, below, {room.x, room.y + room.h - lower, room.w, lower});
  return picture;
}

}  // namespace bscope
