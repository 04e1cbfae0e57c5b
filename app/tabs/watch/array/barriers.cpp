#include "app/tabs/watch/array/barriers.hpp"

#include <string>

#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/occupied.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// A barrier's name before its line; a long number stands alone.
void draw_name(Pen& pen, const Theme& t, Point end, const std::string& name, const std::string& number,
               Font font, Colour colour, OccupiedBoxes& occupied) {
  const float size = t.px(12, 22);
  const bool fits = pen.width(name, size, font) <= end.x - t.px(2);
  occupied.boxes.push_back(pen.text(end, fits ? name : number, size, colour, font, Align::right));
}

}  // namespace

void draw_barriers(Pen& pen, const Theme& t, const StepView& v, float left, float right, float open_y,
                   float close_y, OccupiedBoxes& occupied) {
  const float x0 = left - t.px(6), x1 = right + t.px(2), end = left - t.px(8);
  const auto line = [&](float y, Colour colour, float thick, float dash = 0) {
    pen.line({x0, y}, {x1, y}, colour, thick, dash);
  };
  if (v.sub) {
    line(open_y, t.line, t.px(1));
    line(close_y, t.line, t.px(1));
    return;
  }
  const int k = v.step.interval->index;
  const bool opening = v.phase < 1 && v.landed, start = k == 0, exit = v.step.interval->line == 0;
  if (start)
    line(open_y, t.line, t.px(1));
  else
    line(open_y, mix(t.barrier, t.panel, 0.7f), t.px(1.5f), t.px(6));
  draw_name(pen, t, {end, open_y}, start ? tr("start") : tr("barrier {}", barrier_number(k - 1)),
            std::to_string(k), Font::text, t.ink2, occupied);
  if (exit)
    line(close_y, t.line, t.px(1));
  else if (opening)
    line(close_y, t.dark() ? t.changed : t.barrier, t.px(3));
  else
    line(close_y, t.barrier, t.px(2), t.px(6));
  const std::string below = exit      ? v.stuck.empty() ? tr("end") : tr("no end")
                                 : opening ? tr("barrier {} opens", barrier_number(k))
                                      : tr("barrier {}", barrier_number(k));
  draw_name(pen, t, {end, close_y}, below, std::to_string(k + 1), Font::text_bold, t.ink, occupied);
  const std::string what(
      tr("A barrier (__syncthreads) lets no thread past until every thread of the block has come."));
  const auto place = [&](float y) { return Box{x0, y - t.px(5), x1 - x0, t.px(10)}; };
  if (!start) pen.hit({HitRegion::other, place(open_y), k, 0, what, "barrier:before"});
  if (!exit) pen.hit({HitRegion::other, place(close_y), k + 1, 0, what, "barrier:after"});
}

}  // namespace bscope
