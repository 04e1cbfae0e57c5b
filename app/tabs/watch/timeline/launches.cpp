#include <algorithm>

#include "app/draw/layout.hpp"
#include "app/draw/theme.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/watch/timeline/layout.hpp"
#include "app/tabs/watch/timeline/parts.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

namespace {

/// As wide as its name needs, and at most `most`. Never about as wide as a step's column: a step below
/// another launch's tab would seem to be of that launch.
float tab_width(const Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at,
                float most, int first, int count) {
  const float size = t.px(t.size_label - 1);
  float widest = 0;
  for (int k = first; k < first + count; ++k)
    widest = std::max(widest, pen.width(numbered(steps.model.trace(), steps.model.trace().launches[size_t(k)],
                                                 std::to_string(launch_number(steps.model.trace(), k)), "  "),
                                        size, Font::text_bold));
  const float wanted = std::min(most, widest + t.px(20));
  return wanted > at.pitch * 0.75f && wanted < at.pitch * 1.25f ? at.pitch * 0.75f : wanted;
}

}  // namespace

void draw_timeline_launches(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at) {
  if (at.launch_h == 0) return;
  const auto& launches = steps.model.trace().launches;
  const float size = t.px(t.size_label - 1), room = at.width - at.left - t.px(10);
  const int fit = std::max(1, int(room / t.px(30))), all = steps.launches, count = std::min(all, fit);
  const int first = std::clamp(steps.block.launch - count / 2, 0, all - count);
  const float each = tab_width(pen, t, steps, at, std::min(room / float(count), t.px(260)), first, count),
              h = at.launch_h - t.px(4);
  for (int k = first; k < first + count; ++k) {
    const Box box{at.left + each * float(k - first) + t.px(1), t.px(6), each - t.px(2), h};
    const bool here = k == steps.block.launch;
    pen.rect(box, here ? t.selected : t.panel, here ? t.ink2 : t.line, t.px(1), t.px(4));
    const Launch& launch = launches[size_t(k)];
    const std::string number = std::to_string(launch_number(steps.model.trace(), k));
    draw({pen, t},
         line({numbered(steps.model.trace(), launch, number, "  "), number},
              {size, here ? t.ink : t.ink2, here ? Font::text_bold : Font::text, Align::centre}),
         {box.x + t.px(2), box.y, box.w - t.px(4), box.h});
    if (here) {
      // a tab with all the steps hung below it: they are this launch's, whatever stands over each of them
      const float y = box.bottom(), end = at.x_of(at.end()), drop = at.head_h() + t.px(7);
      pen.line({at.left, y}, {box.x, y}, t.ink2, t.px(1));
      pen.line({box.right(), y}, {std::max(end, box.right()), y}, t.ink2, t.px(1));
      for (const float x : {at.left, std::max(end, box.right())})
        pen.line({x, y}, {x, drop}, t.ink2, t.px(1));
      pen.rect({box.x + t.px(1), y - t.px(1.5f), box.w - t.px(2), t.px(3)}, t.selected);
    }
    const auto block = steps.model.flow().of_block(k, 0);
    if (!block.empty())
      pen.hit({HitRegion::step, box, int(block.data() - steps.model.flow().intervals.data()), 0,
               is_between_launches(launch)
                   ? tr("What changed memory between launches. Click to go to it.")
                   : tr("Launch {0}, {1}: {2} steps of each block. Click to go to its first step.",
                        launch_number(steps.model.trace(), k), launch_title(steps.model.trace(), launch),
                        block.size()),
               "timeline:launch:" + std::to_string(k)});
  }
}

void draw_timeline_overview(Pen& pen, const Theme& t, const TimelineSteps& steps, const TimelineLayout& at) {
  if (at.overview_h == 0) return;
  const int all = int(steps.track.steps.size());
  const Box bar{at.left, at.launch_h + t.px(5), at.width - at.left - t.px(10), t.px(5)};
  const auto x_at = [&](float k) { return bar.x + bar.w * k / float(all); };
  pen.rect(bar, mix(t.line, t.panel, 0.7f), 0, 1, t.px(2));
  const float x0 = x_at(float(at.first)), x1 = x_at(float(at.end()));
  pen.rect({x0, bar.y, std::max(x1 - x0, t.px(4)), bar.h}, t.ink3, 0, 1, t.px(2));
  pen.rect({x_at(float(steps.present()) + 0.5f) - t.px(1.5f), bar.y - t.px(2), t.px(3), bar.h + t.px(4)},
           t.dark() ? t.changed : t.ink);
  const int parts = std::min(all, 100);
  for (int p = 0; p < parts; ++p) {
    const int k = int((int64_t(2 * p + 1) * all) / (2 * parts));
    pen.hit({HitRegion::step,
             {bar.x + bar.w * float(p) / float(parts), bar.y - t.px(3), bar.w / float(parts), t.px(11)},
             steps.step(k).flow_index,
             0,
             tr("Step {} of {}. Click to go there.", step_number(k), all),
             "timeline:part:" + std::to_string(p)});
  }
}

}  // namespace bscope
