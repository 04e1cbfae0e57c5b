#include "app/session/control.hpp"

#include <algorithm>

#include "app/words/words.hpp"

namespace bscope {

void set_control(const Control& c, State& s, int value) { c.set(s, std::clamp(value, c.least, c.most)); }

void move_control(const Control& c, State& s, int by) {
  const int now = c.get(s);
  const bool around = !*c.down && now + by > c.most;
  set_control(c, s, around ? c.least : now + by);
}

Slider slider_of(const Control& c, const State& s) {
  const int now = c.get(s);
  return {.name = c.name,
          .label = say(c.label),
          .short_label = say(c.short_label),
          .value = c.text ? c.text(now) : std::to_string(now),
          .tip = say(c.tip),
          .least = c.least,
          .most = c.most,
          .now = float(now),
          .does = [&c](State& to, int value) { set_control(c, to, value); }};
}

}  // namespace bscope
