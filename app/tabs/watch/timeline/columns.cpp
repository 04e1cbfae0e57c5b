#include <algorithm>
#include <vector>

#include "app/draw/charts.hpp"
#include "app/draw/layout.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/tabs/watch/timeline/layout.hpp"
#include "app/tabs/watch/timeline/parts.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/analysis/stuck_threads.hpp"

namespace bscope {

void draw_present_ground(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at) {
  pen.rect({at.x_of(steps.present()) + t.px(1), at.phase_y + at.phase_h + t.px(2), at.pitch - t.px(2),
            at.height - at.phase_y - at.phase_h - t.px(8)},
           t.selected);
}

void draw_present_frame(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at) {
  const float w = std::max(at.pitch, t.px(6));
  const float top = at.head_h() + t.px(3);
  pen.rect({at.x_of(steps.present()) + at.pitch / 2 - w / 2, top, w, at.height - top - t.px(3)}, 0,
           t.dark() ? t.changed : t.ink, t.px(2.5f), t.px(4));
}

namespace {

/// Full strength up to now; the future's structure is known, its strength says that it is still to come.
Colour in_time(const Theme& t, const TimelineSteps& steps, Colour c, int k) {
  return k <= steps.present() ? c : mix(c, t.panel, t.dark() ? 0.6f : t.projector() ? 1.0f : 0.7f);
}

}  // namespace

void draw_working_threads(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at,
                          int k) {
  const Step& s = steps.step(k);
  const std::vector<int> stuck = stuck_lines(steps.model.trace(), steps.model.flow(), *s.interval);
  const int threads = int(s.works.size());
  const float inset = std::min(t.px(5), at.pitch * 0.12f);
  const Box box{at.x_of(k) + inset, at.lane_y, at.pitch - 2 * inset, at.lane_h};
  const float lane_w = box.w / float(threads);
  if (lane_w >= t.px(3)) {
    const float gap = std::min(t.px(2), lane_w * 0.25f), w = std::min(lane_w, t.px(14));
    for (int rank = 0; rank < threads; ++rank) {
      const Box lane{box.x + float(rank) * w + gap / 2, box.y, w - gap, box.h};
      if (s.works[size_t(rank)])
        pen.rect(lane, in_time(t, steps, t.thread, k), 0, 1, t.px(1));
      else if (stuck.empty() || stuck[size_t(rank)] < 0)
        pen.rect(lane, 0, mix(t.idle, t.panel, 0.5f), t.px(1), t.px(1));
      if (!stuck.empty() && stuck[size_t(rank)] >= 0) draw_stuck_frame(pen, t, lane);
    }
  } else {
    // too many for marks: how large a part of them
    const float part = threads ? float(s.working) / float(threads) : 0;
    pen.rect(box, 0, mix(t.idle, t.panel, 0.5f), t.px(1));
    const bool wide = box.w >= t.px(20);
    const Box full = wide ? Box{box.x, box.y, box.w * part, box.h}
                          : Box{box.x, box.y + box.h * (1 - part), box.w, box.h * part};
    if (part > 0) pen.rect(full, in_time(t, steps, t.thread, k));
  }
}

void draw_timeline_traffic(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at,
                           int k) {
  const Traffic& served = steps.step(k).traffic();
  if (!served.total()) return;
  const float size = t.projector() ? t.label() : t.px(t.size_label - 1),
              inset = std::min(t.px(5), at.pitch * 0.12f);
  Box row{at.x_of(k) + inset, at.traffic_y, at.pitch - 2 * inset, at.traffic_h};
  const auto at_right = [&](const std::string& words, Font f, Colour ink, float most) {
    const float w = pen.width(words, size, f) + t.px(6);
    if (w > row.w * most) return;
    pen.text({row.right(), row.centre().y}, words, size, ink, f, Align::right);
    row.w -= w;
  };
  at_right(grouped(served.total()), Font::mono_bold, k <= steps.present() ? t.ink : t.ink3, 1);
  // what the row does not count: atomics on one address are served one after the other
  if (served.queue > 1)
    at_right(tr("queue of {}", served.queue), Font::text, k == steps.present() ? t.ink : t.ink3, 0.6f);
  if (row.w > t.px(2))
    draw({pen, t},
         tally({.parts = {{served.read, in_time(t, steps, t.read, k)},
                          {served.write, in_time(t, steps, t.write, k)},
                          {served.atomic, in_time(t, steps, t.atomic, k)},
                          {served.extra, in_time(t, steps, t.conflict, k)}},
                .most = served.total()}),
         row);
}

void draw_timeline_barriers(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at) {
  if (at.pitch < t.px(10) || steps.track.by_block) return;
  for (int k = at.first + 1; k < at.end(); ++k) {
    const float x = at.x_of(k);
    const bool passed = k <= steps.present();
    const float top = at.phase_y + at.phase_h + t.px(3), bottom = at.height - t.px(8);
    if (passed)
      pen.line({x, top}, {x, bottom}, t.barrier, t.px(1.5f));
    else
      pen.line({x, top}, {x, bottom}, t.ink3, t.px(1), t.px(3));
  }
}

}  // namespace bscope
