#include "app/tabs/watch/array/exchanges.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/draw/theme.hpp"
#include "app/run/values.hpp"
#include "app/tabs/watch/array/labels.hpp"
#include "app/tabs/watch/array/lanes_layout.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/array/tags.hpp"
#include "app/tabs/watch/array/warp.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/exchanges.hpp"

namespace bscope {
namespace {

/// The room between two rows.
struct ExchangeRoom {
  float top = 0, bottom = 0;
  float middle() const { return (top + bottom) / 2; }
};

/// What it did and in which line, before the first lane.
void draw_exchange_label(Pen& pen, const Theme& t, const StepView& v, const WarpLanes& w, int number,
                         const ExchangeRoom& at) {
  const Exchange& e = w.exchange(number);
  const bool happened = number < w.happened,
             present = number == w.happened - 1 && (w.focus >= 0 || v.phase < 1);
  const std::string op = exchange_operator(v, w, number), words = exchange_pattern(e);
  const Font font = present ? Font::text_bold : Font::text;
  std::string label = op.empty() ? words : words + " " + op;
  if (pen.width(label, t.label(), font) > label_room(t)) label = words + op;
  if (pen.width(label, t.label(), font) > label_room(t)) label = words;
  if (pen.width(label, t.label(), font) > label_room(t)) label = tr("shuffle");
  draw_label(pen, t, at.middle(), label, font, happened ? t.ink : t.ink3);
  pen.hit(
      {HitRegion::line,
       {margin(t), at.top, label_room(t), at.bottom - at.top},
       e.line,
       0,
       tr("Line {}: {}. Lanes hand each other values without memory and without a barrier.", e.line, words),
       "exchange:" + std::to_string(number)});
}

/// A lane's own value, and what it takes from another. `focus`: the lane is asked for.
void draw_taken(Pen& pen, const Theme& t, const WarpLanes& w, const LanesLayout& at, int number,
                const Exchange::ExchangeLane& l, bool focus, const ExchangeRoom& room) {
  const Exchange& e = w.exchange(number);
  const bool happened = number<w.happened, many = e.lanes.size()> 16;
  const float strength = !happened ? 0.25f : focus ? 1.0f : w.asked >= 0 ? 0.3f : many ? 0.5f : 0.75f;
  const Colour read = mix(t.read, t.panel, strength);
  const float x = at.x_of(l.lane), thick = t.px(focus ? 2.5f : many ? 1.2f : 1.8f);
  // its own value goes straight down into what it computes
  if (w.made_by(number, l.lane) >= 0)
    pen.line({x, room.top}, {x, room.bottom}, mix(t.thread, t.panel, strength * 0.6f), thick);
  if (l.from == l.lane || l.from < 0) return;
  const Point from{at.x_of(l.from), room.top}, to{x, room.bottom};
  pen.line(from, to, read, thick);
  if (!happened) return;
  const float length = std::hypot(to.x - from.x, to.y - from.y), head = focus ? 9 : many ? 6 : 8;
  pen.arrow_head(to, {(to.x - from.x) / length, (to.y - from.y) / length}, t.px(head), read);
  if (focus && t.label() + t.px(4) <= at.gap)
    draw_chip(pen, t, at.width, {(from.x + to.x) / 2, room.middle()}, value_text(e.kind, l.taken), t.read);
}

/// Each lane takes from one. Where the user has not asked for all arrows, the asked lane's alone.
void draw_shuffle(Pen& pen, const Theme& t, const WarpLanes& w, const LanesLayout& at, int number,
                  bool all_arrows, const ExchangeRoom& room) {
  for (const bool focus : {false, true})
    for (const Exchange::ExchangeLane& l : w.exchange(number).lanes)
      if ((l.lane == w.asked) == focus && l.lane < w.lanes && (all_arrows || focus))
        draw_taken(pen, t, w, at, number, l, focus, room);
}

/// What all lanes got, in the middle of a bar from `left` to `right`.
void draw_common_result(Pen& pen, const Theme& t, const LanesLayout& at, const Exchange& e, float left,
                        float right, const ExchangeRoom& room) {
  const std::string words = common_result(e);
  const float size = t.label(), h = std::min(size + t.px(7), room.bottom - room.top - t.px(2));
  const float w = pen.width(words, size, Font::mono_bold) + t.px(16);
  const float x = clamp_or_least((left + right) / 2, at.left + w / 2, at.width - t.px(4) - w / 2);
  const Box pill{x - w / 2, room.middle() - h / 2, w, h};
  pen.rect(pill, t.thread, 0, 1, h / 2);
  pen.text(pill.centre(), words, size, t.on(t.thread), Font::mono_bold, Align::centre);
}

/// All lanes give, all take: a bar with the result in its middle.
void draw_together(Pen& pen, const Theme& t, const WarpLanes& w, const LanesLayout& at, int number,
                   const ExchangeRoom& room) {
  const Exchange& e = w.exchange(number);
  const bool happened = number < w.happened;
  const float middle = room.middle(), strength = happened ? 0.7f : 0.25f;
  const Colour read = mix(t.read, t.panel, strength), write = mix(t.write, t.panel, strength);
  float left = 1e9f, right = 0;
  for (const Exchange::ExchangeLane& l : e.lanes) {
    if (l.lane >= w.lanes) continue;
    const float x = at.x_of(l.lane);
    left = std::min(left, x);
    right = std::max(right, x);
    pen.line({x, room.top}, {x, middle}, read, t.px(1.2f));
    pen.line({x, middle}, {x, room.bottom}, write, t.px(1.2f));
  }
  if (right < left) return;
  pen.line({left, middle}, {right, middle}, mix(t.thread, t.panel, strength), t.px(3));
  if (happened) draw_common_result(pen, t, at, e, left, right, room);
}

}  // namespace

void draw_exchange(Pen& pen, const Theme& t, const StepView& v, const WarpLanes& w, const LanesLayout& at,
                   size_t k) {
  const int number = w.held.rows[at.first + k].made_by;
  const ExchangeRoom room{at.row_y[k - 1] + at.cell_h, at.row_y[k]};
  draw_exchange_label(pen, t, v, w, number, room);
  if (!v.all_arrows && w.asked < 0) return;
  if (w.exchange(number).op == Op::shuffle)
    draw_shuffle(pen, t, w, at, number, v.all_arrows, room);
  else
    draw_together(pen, t, w, at, number, room);
}

}  // namespace bscope
