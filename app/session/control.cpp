#include "app/session/control.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/chart.hpp"
#include "app/session/state.hpp"
#include "app/session/tab_time.hpp"
#include "app/words/words.hpp"

namespace bscope {

void set_control(const Control& c, LoadedState& s, int value) {
  if (const int to = std::clamp(value, c.least, c.most); to != c.get(s)) c.set(s, to);
}

void move_control(const Control& c, LoadedState& s, int by) {
  const int to = c.get(s) + by * c.step;
  set_control(c, s, !*c.down && to > c.most ? c.least : to);
}

Slider slider_of(const Control& c, const LoadedState& s) { return slider_at(c, c.get(s)); }

Slider slider_at(const Control& c, int now) {
  return {.name = c.name,
          .label = tr(c.label),
          .short_label = tr(c.short_label),
          .value = c.text ? c.text(now) : std::to_string(now),
          .tip = tr(c.tip),
          .least = c.least,
          .most = c.most,
          .now = float(now),
          .does = [&c](LoadedState& to, int value) { set_control(c, to, value); }};
}

HitAction drags_time(int last) {
  return [last](LoadedState& s, float share) {
    s.playing = false;
    s = at_time(std::move(s), int(std::lround(share * float(last))));
  };
}

}  // namespace bscope
